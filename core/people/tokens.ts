import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** Generates a secret of 256 bits in base64url, for cookies and one-time links. */
export const newToken = (): string => randomBytes(BYTES).toString('base64url');

/** Hashes a token for storage. Tokens are random, so no salt or slow hash is needed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
