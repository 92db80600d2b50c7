import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Signs the right to PUT one object until a point in time. */
export interface UploadTokens {
  /** @param expiresAt Unix seconds, with a fraction. */
  issue(path: string, expiresAt: number): string;
  /** The path that the token allows to write now, or null: forged, altered and expired ones look alike. */
  verify(token: string, now: number): string | null;
}

const purpose = 'cadre filesystem upload 1';

/** The key is derived for this purpose alone, so that no other signature of this installation can pass for a token. */
export function uploadTokens(secret: Uint8Array): UploadTokens {
  const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), purpose, 32));
  const sign = (claims: string): string => createHmac('sha256', key).update(claims).digest('base64url');

  return {
    issue(path, expiresAt) {
      const claims = Buffer.from(JSON.stringify([path, expiresAt])).toString('base64url');
      return `${claims}.${sign(claims)}`;
    },
    verify(token, now) {
      const [claims = ''] = token.split('.', 1);
      // Texts are compared, not bytes: base64url has several texts for the same bytes.
      if (!sameText(token, `${claims}.${sign(claims)}`)) return null;
      const [path, expiresAt] = JSON.parse(Buffer.from(claims, 'base64url').toString()) as [string, number];
      return now < expiresAt ? path : null;
    },
  };
}

function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
