import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { normalForm } from '../../reader/normal-form.js';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Cost of new hashes: one takes 128 MiB and a third of a second. */
export const PASSWORD_COST = 2 ** 17;
const BLOCK = { r: 8, p: 1 };
const MAX_MEMORY = 256 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

interface Parameters {
  N: number;
  r: number;
  p: number;
}

const key = (password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> =>
  derive(normalForm(password, 'NFC'), salt, KEY_BYTES, { ...parameters, maxmem: MAX_MEMORY });

/**
 * Hashes a password with scrypt (RFC 7914). The result holds its parameters: `scrypt$N$r$p$salt$key`.
 */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const parameters = { N: cost, ...BLOCK };
  const hash = await key(password, salt, parameters);
  return [prefixOf(parameters), salt.toString('base64url'), hash.toString('base64url')].join('$');
}

const prefixOf = ({ N, r, p }: Parameters): string => ['scrypt', N, r, p].join('$');

/** Returns a hash that no password has, so that checking takes as long as for a user. */
export const impossibleHash = (cost: number): string =>
  [
    prefixOf({ N: cost, ...BLOCK }),
    randomBytes(SALT_BYTES).toString('base64url'),
    randomBytes(KEY_BYTES).toString('base64url'),
  ].join('$');

interface Verdict {
  isRight: boolean;
  /** The hash has other parameters than new ones. */
  isOutdated: boolean;
}

/** Compares a password with a hash of `hashPassword`. */
export async function checkPassword(password: string, stored: string, cost: number): Promise<Verdict> {
  const [, N, r, p, salt = '', expected = ''] = stored.split('$');
  const parameters = { N: Number(N), r: Number(r), p: Number(p) };
  const found = await key(password, Buffer.from(salt, 'base64url'), parameters);
  const isRight = timingSafeEqual(found, Buffer.from(expected, 'base64url'));
  return { isRight, isOutdated: prefixOf(parameters) !== prefixOf({ N: cost, ...BLOCK }) };
}
