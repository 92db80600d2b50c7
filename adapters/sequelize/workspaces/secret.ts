import { randomBytes } from 'node:crypto';
import type { Connection } from '../database/connection.js';
import { isDuplicate } from '../database/errors.js';
import type { Transact } from '../database/transact.js';
import { insertMeta, readMeta } from '../tables/meta.js';

const BYTES = 32;

/** Row of `meta`. */
const NAME = 'secret';

/** Returns the installation's secret, created at the first call. All processes get the same one. */
export async function installationSecret({ read }: Connection, transact: Transact): Promise<Uint8Array> {
  const known = await readMeta(read, NAME);
  if (known !== null) return Buffer.from(known, 'base64');
  try {
    const made = randomBytes(BYTES).toString('base64');
    await transact((statements) => insertMeta(statements, NAME, made));
  } catch (error) {
    // Another process created the secret first. An older transaction would not see it, so read it again.
    if (!isDuplicate(error)) throw error;
  }
  const secret = await readMeta(read, NAME);
  if (secret === null) throw new Error('the secret of the installation was created, but cannot be read');
  return Buffer.from(secret, 'base64');
}
