import type { Connection } from './connection.js';

/* SQL that differs between the engines. */

export type Dialect = Connection['dialect'];

/**
 * Names the index for a page of a list. Without it, MySQL and MariaDB look up the owner only and scan from the newest
 * row to the page. SQLite needs no hint. Null leaves the choice to the database.
 */
export const seek = (dialect: Dialect, index: string | null): string =>
  dialect === 'mysql' && index !== null ? ` FORCE INDEX (${index})` : '';

/** Locks the selected rows. A transaction on SQLite holds the only write lock from its start. */
export const forUpdate = (dialect: Dialect): string => (dialect === 'mysql' ? ' FOR UPDATE' : '');

/** Blocks changes of the selected rows, and reads what is committed rather than the transaction's snapshot. */
export const forShare = (dialect: Dialect): string => (dialect === 'mysql' ? ' LOCK IN SHARE MODE' : '');

export const insertIgnore = (dialect: Dialect): string =>
  dialect === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';

/**
 * The end of an INSERT that sets `columns` of the existing row instead if the key exists. `update` returns the new value
 * as SQL; the default is the inserted one. The row is locked at once, so that concurrent writers cannot read a stale
 * value.
 */
export function onDuplicate(
  dialect: Dialect,
  key: readonly string[],
  columns: readonly string[],
  update = (_column: string, inserted: string): string => inserted,
): string {
  const inserted = (column: string) => (dialect === 'mysql' ? `VALUES(${column})` : `excluded.${column}`);
  const set = columns.map((column) => `${column} = ${update(column, inserted(column))}`).join(', ');
  return dialect === 'mysql'
    ? `ON DUPLICATE KEY UPDATE ${set}`
    : `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set}`;
}
