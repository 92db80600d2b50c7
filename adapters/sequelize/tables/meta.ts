import type { Connection } from '../database/connection.js';
import { insertRow } from '../database/row-statements.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';

/* Facts about the installation, by name. */

/** Returns the value, or null if it is not set. */
export async function readMeta(read: Connection['read'], name: string): Promise<string | null> {
  const [row] = await read('SELECT value FROM meta WHERE name = ?', [name]);
  return (row?.value as string | undefined) ?? null;
}

/** Rejects with the driver's error if there is a value already. */
export async function insertMeta({ execute }: Statements, name: string, value: string): Promise<void> {
  await execute(...insertRow('meta', { name, value }));
}

export const setMeta = (statements: Statements, name: string, value: string): Promise<void> =>
  insertRows(statements, 'meta', [{ name, value }], {
    dialect: statements.dialect,
    key: 'name',
    columns: ['value'],
  });
