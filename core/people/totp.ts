import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Length of a time step, in seconds. */
const STEP_S = 30;
const DIGITS = 6;
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Number of accepted time steps before and after the current step, because clocks differ (RFC 6238, section 5.2). */
const DRIFT = 1;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes bytes in base32 (RFC 4648) without padding. */
export function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((part) => BASE32[Number.parseInt(part.padEnd(5, '0'), 2)])
    .join('');
}

export const newTotpSecret = (): Uint8Array => randomBytes(SECRET_BYTES);

/** Returns the address from which an authenticator app reads the secret, for a QR code. */
export const totpUri = (secret: Uint8Array, account: string): string =>
  `otpauth://totp/Cadre:${encodeURIComponent(account)}?secret=${base32(secret)}&issuer=Cadre`;

/** Returns the code of a time step (RFC 4226, section 5.3, with HMAC-SHA-1). */
export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Returns the time step at a time in Unix seconds. */
export const stepAt = (unixSeconds: number): number => Math.floor(unixSeconds / STEP_S);

/** Returns the time step near `now` (Unix seconds) to which the code belongs; null for a wrong code. */
export function stepOf(secret: Uint8Array, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const current = stepAt(now);
  let found: number | null = null;
  // Compares with every step, so that the time tells nothing.
  for (let step = current - DRIFT; step <= current + DRIFT; step += 1)
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) found = step;
  return found;
}
