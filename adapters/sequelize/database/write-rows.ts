import type { Connection } from './connection.js';
import type { Statements } from './statements.js';

/** Values by column. */
export type Values = Record<string, unknown>;

/** Limits of a multi-row statement. Above them, building its text costs more than another statement. */
const MOST_ROWS = 100;
const MOST_BYTES = 131_072;

type Dialect = Connection['dialect'];
type Write = Pick<Statements, 'execute' | 'executeOnce'>;

const list = (count: number, what = '?'): string => Array(count).fill(what).join(', ');

/**
 * Inserts rows with the same columns. With `update`, an existing row with the same `key` gets these columns instead.
 */
export async function insertRows(
  write: Write,
  table: string,
  rows: Values[],
  update?: { dialect: Dialect; key: string; columns: string[] },
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  await Promise.all(
    pieces(rows).map((piece) => {
      const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${list(piece.length, `(${list(columns.length)})`)}`;
      const sql = update ? `${insert} ${otherwise(update)}` : insert;
      const params = piece.flatMap((row) => columns.map((column) => row[column]));
      return piece.length === 1 ? write.execute(sql, params) : write.executeOnce(sql, params);
    }),
  );
}

const otherwise = ({
  dialect,
  key,
  columns,
}: {
  dialect: Dialect;
  key: string;
  columns: string[];
}): string =>
  dialect === 'mysql'
    ? `ON DUPLICATE KEY UPDATE ${columns.map((column) => `${column} = VALUES(${column})`).join(', ')}`
    : `ON CONFLICT (${key}) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/**
 * Updates rows, with one statement per set of changed columns. A column with the same value in all rows is set
 * directly, others by key.
 */
export async function updateRows(
  write: Write,
  dialect: Dialect,
  table: string,
  key: string,
  changes: { key: unknown; values: Values }[],
): Promise<void> {
  // Force the primary key: otherwise the database would scan and lock all of a small table.
  const target = dialect === 'mysql' ? `${table} FORCE INDEX (PRIMARY)` : table;
  const groups = alike(changes).flatMap((group) =>
    pieces(group.map(({ key, values }) => ({ ...values, [KEY]: key }))),
  );
  await Promise.all(
    groups.map((piece) => {
      const { sql, params, same } = assignments(key, piece);
      if (sql === '') return null;
      const keys = piece.map((row) => row[KEY]);
      const update = `UPDATE ${target} SET ${sql} WHERE ${key} IN`;
      return same
        ? write.execute(`${update} (?)`, [...params, keys])
        : write.executeOnce(`${update} (${list(keys.length)})`, [...params, ...keys]);
    }),
  );
}

/** Groups rows by their changed columns. */
function alike<C extends { values: Values }>(changes: C[]): C[][] {
  const groups = new Map<string, C[]>();
  for (const change of changes) {
    const columns = Object.keys(change.values).sort().join();
    const group = groups.get(columns);
    if (group) group.push(change);
    else groups.set(columns, [change]);
  }
  return [...groups.values()];
}

/** Property under which a row carries its key, which is not changed. */
const KEY = '';

function assignments(key: string, rows: Values[]): { sql: string; params: unknown[]; same: boolean } {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== KEY);
  const params: unknown[] = [];
  let same = true;
  const sql = columns.map((column) => {
    const value = rows[0]?.[column];
    if (rows.every((row) => row[column] === value)) {
      params.push(value);
      return `${column} = ?`;
    }
    same = false;
    params.push(...rows.flatMap((row) => [row[KEY], row[column]]));
    return `${column} = CASE ${key} ${rows.map(() => 'WHEN ? THEN ?').join(' ')} END`;
  });
  return { sql: sql.join(', '), params, same };
}

function pieces(rows: Values[]): Values[][] {
  const found: Values[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const more = bytesOf(row);
    const last = found.at(-1);
    if (!last || last.length >= MOST_ROWS || bytes + more > MOST_BYTES) {
      found.push([row]);
      bytes = more;
    } else {
      last.push(row);
      bytes += more;
    }
  }
  return found;
}

/** Returns the approximate size of a row in a statement, in bytes. */
const bytesOf = (row: Values): number =>
  Object.values(row).reduce((sum: number, value) => sum + lengthOf(value), 0);

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
