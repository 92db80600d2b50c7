import { randomBytes } from 'node:crypto';
import type { Connection } from '../database/connection.js';
import { isDuplicate } from '../database/errors.js';
import type { Transact } from '../database/transact.js';
import type { Models } from '../tables/models.js';

const BYTES = 32;

/** Returns the installation's secret, created at the first call. All processes get the same one. */
export async function installationSecret(
  { read }: Connection,
  models: Models,
  transact: Transact,
): Promise<Uint8Array> {
  const known = await find(read);
  if (known !== null) return known;
  try {
    const made = { name: 'secret', value: randomBytes(BYTES).toString('base64') };
    await transact((transaction) => models.meta.create(made, { transaction }));
  } catch (error) {
    // Another process created the secret first. An older transaction would not see it, so read it again.
    if (!isDuplicate(error)) throw error;
  }
  const secret = await find(read);
  if (secret === null) throw new Error('the secret of the installation was created, but cannot be read');
  return secret;
}

async function find(read: Connection['read']): Promise<Uint8Array | null> {
  const [row] = await read(`SELECT value FROM meta WHERE name = 'secret'`, []);
  return row === undefined ? null : Buffer.from(row.value as string, 'base64');
}
