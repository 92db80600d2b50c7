import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const HEADER = 'x-hub-signature-256';
const FORM = /^sha256=([0-9a-f]{64})$/;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const hmac = (secret: string, bytes: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(bytes).digest();

/** Returns the signature of the headers; null if it is missing or malformed. */
export function signatureOf(headers: Headers): Buffer | null {
  const header = headers[HEADER];
  const [, hex] = (typeof header === 'string' && FORM.exec(header)) || [];
  return hex === undefined ? null : Buffer.from(hex, 'hex');
}

/** Returns whether one of the secrets signed the body. Takes constant time. */
export function isSignedBy(secrets: readonly string[], headers: Headers, raw: Uint8Array): boolean {
  const signature = signatureOf(headers);
  if (signature === null) return false;
  return secrets.map((secret) => timingSafeEqual(signature, hmac(secret, raw))).includes(true);
}

/** Compares texts of any length in constant time. */
export const isSameText = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

/** Returns the `appsecret_proof` of a token, with which a call proves that it has the secret of the app. */
export const proofOf = (secret: string, token: string): string =>
  hmac(secret, Buffer.from(token)).toString('hex');
