import { createHmac, hkdfSync } from 'node:crypto';
import { foldedEmail } from '../people/email.js';
import type { PersonKind } from '../ports/store/erasures.js';

export type PersonHash = (kind: PersonKind, person: string) => string;

/** Returns a function that identifies a person by an HMAC under the secret of the installation. */
export function createPersonHash(secret: Uint8Array): PersonHash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'cadre erased persons', 32));
  return (kind, person) =>
    createHmac('sha256', key)
      .update(`${kind}\0${kind === 'email' ? foldedEmail(person) : person}`)
      .digest('hex');
}
