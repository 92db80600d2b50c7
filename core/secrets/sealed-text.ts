import type { Keyring } from './keyring.js';

/** Encrypts a text for its owner. Returns base64. */
export const sealText = (keyring: Pick<Keyring, 'seal'>, ownerId: string, text: string): string =>
  Buffer.from(keyring.seal(ownerId, Buffer.from(text))).toString('base64');

/** Decrypts the result of `sealText`. Throws SecretUnreadable. */
export const openText = (keyring: Pick<Keyring, 'open'>, ownerId: string, sealed: string): string =>
  Buffer.from(keyring.open(ownerId, Buffer.from(sealed, 'base64'))).toString();
