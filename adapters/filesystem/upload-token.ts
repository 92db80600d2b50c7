import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Signed tokens that allow uploading one object until a given time. */
export interface UploadTokens {
  /** @param expiresAt Unix seconds, which may have a fraction. */
  issue(path: string, expiresAt: number): string;
  /**
   * Returns the path that the token allows writing now; null if it is forged, altered or expired. `now` is in Unix
   * seconds.
   */
  verify(token: string, now: number): string | null;
}

const purpose = 'cadre filesystem upload 1';

/** Derives a key for this purpose only, so that no other signature of this installation is a valid token. */
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
      // Compare texts, not bytes, because base64url has several texts for the same bytes.
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
