import { normalForm } from '../../reader/normal-form.js';
import { limits } from '../schemas/limits.js';

const FORM = /^[^\s@<>",;:\\()[\]\p{Cc}]+@[^\s@<>",;:\\()[\]\p{Cc}]+\.[^\s@<>",;:\\()[\]\p{Cc}]+$/u;

/**
 * Returns why an address cannot become that of a user, or null. Refuses what NFKC changes, because two addresses that look
 * alike would be two users.
 */
export function emailProblem(email: string): string | null {
  if ([...email].length > limits.people.email) return `must have at most ${limits.people.email} characters`;
  if (!FORM.test(email)) return 'must be an e-mail address such as ada@acme.com';
  if (normalForm(email, 'NFKC') !== email)
    return 'has characters that look like others; write it in its plain form';
  return null;
}

/** Returns the form in which addresses are compared. */
export const foldedEmail = (email: string): string => email.toUpperCase().toLowerCase();
