import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'cadre_';
const SECRET_BYTES = 32;
/** Length of the secret in base64url characters. */
const SECRET_LENGTH = 43;
const BODY_LENGTH = SECRET_LENGTH + 6;

/**
 * Generates a key: `cadre_`, then 32 random bytes and the CRC-32 of their text in base64url. The CRC detects typos
 * without the database.
 */
export function newApiKey(): string {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return `${PREFIX}${secret}${checksum(secret)}`;
}

/**
 * Returns false if the text cannot be a key: a generated key with a wrong checksum, or an impossible length. Other
 * texts pass, because an operator may choose any bootstrap key.
 */
export function mayBeApiKey(text: string): boolean {
  if (text.length === 0 || text.length > 512) return false;
  if (!text.startsWith(PREFIX)) return true;
  const body = text.slice(PREFIX.length);
  // A bootstrap key with this prefix has another length.
  return body.length !== BODY_LENGTH || checksum(body.slice(0, SECRET_LENGTH)) === body.slice(SECRET_LENGTH);
}

/** Hashes a key for storage. Keys are random, so no salt or slow hash is needed. */
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Returns the shortened key that operators see. */
export const keyHint = (key: string): string =>
  key.length < 40 ? `${key.slice(0, 4)}…` : `${key.slice(0, 10)}…${key.slice(-4)}`;

/** Returns the first characters of a key, at most 8, from its hint. */
export const keyPrefix = (hint: string): string => (hint.split('…')[0] ?? '').slice(0, 8);

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
}
