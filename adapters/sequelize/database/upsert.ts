import type { Connection } from './connection.js';

/**
 * Returns an `INSERT` of one or several `rows` that runs `update` (column to expression) instead if the key exists.
 * `added(column)` is the inserted value. The statement locks the row at once, so that two writers wait for each other
 * and neither reads a stale value.
 */
export function upsert(
  dialect: Connection['dialect'],
  table: string,
  key: readonly string[],
  values: readonly string[],
  update: (column: string, added: string) => string,
  rows = 1,
): string {
  const columns = [...key, ...values];
  const places = `(${columns.map(() => '?').join(', ')})`;
  const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(places).join(', ')}`;
  const added = (column: string) => (dialect === 'mysql' ? `VALUES(${column})` : `excluded.${column}`);
  const set = values.map((column) => `${column} = ${update(`${table}.${column}`, added(column))}`).join(', ');
  return dialect === 'mysql'
    ? `${insert} ON DUPLICATE KEY UPDATE ${set}`
    : `${insert} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set}`;
}
