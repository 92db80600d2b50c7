import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'cadre_';
const SECRET_BYTES = 32;
/** In base64url. */
const SECRET_LENGTH = 43;
const BODY_LENGTH = SECRET_LENGTH + 6;

/** `cadre_` + 32 random bytes + their CRC-32, both base64url: a mistyped key is recognised without the database. */
export function newApiKey(): string {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return `${PREFIX}${secret}${checksum(secret)}`;
}

/** False only for a text that claims to be one of our keys and cannot be. Keys of another form (bootstrap) pass. */
export function mayBeApiKey(text: string): boolean {
  if (text.length === 0 || text.length > 512) return false;
  if (!text.startsWith(PREFIX)) return true;
  const body = text.slice(PREFIX.length);
  // An operator's own key may begin like ours; its length tells it apart.
  return body.length !== BODY_LENGTH || checksum(body.slice(0, SECRET_LENGTH)) === body.slice(SECRET_LENGTH);
}

/** What is stored and looked up. The keys are random enough that a plain hash cannot be reversed. */
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** What an operator sees of a stored key. */
export const keyHint = (key: string): string =>
  key.length < 40 ? `${key.slice(0, 4)}…` : `${key.slice(0, 10)}…${key.slice(-4)}`;

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
}
