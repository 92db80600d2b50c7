import { createHash } from 'node:crypto';

/** Returns what rows say of a deleted person instead of the name: a hash, so that rows of one person belong together. */
export const formerMember = (email: string): string =>
  `former member ${createHash('sha256').update(email).digest('hex').slice(0, 8)}`;
