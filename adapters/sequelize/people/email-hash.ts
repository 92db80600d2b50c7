import { createHash } from 'node:crypto';

/** Returns the key of an address: a hash of its case-folded form, because databases compare letters differently. */
export const emailHash = (email: string): string =>
  createHash('sha256').update(email.toUpperCase().toLowerCase()).digest('hex');
