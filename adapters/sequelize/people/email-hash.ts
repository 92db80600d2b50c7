import { createHash } from 'node:crypto';
import { foldedEmail } from '../../../core/people/email.js';

/** Returns the key of an address: a hash of its case-folded form, because databases compare letters differently. */
export const emailHash = (email: string): string =>
  createHash('sha256').update(foldedEmail(email)).digest('hex');
