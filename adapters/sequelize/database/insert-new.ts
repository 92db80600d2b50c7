import type { Columns, Table } from '../tables/table.js';
import type { Statements } from './statements.js';

/** Rows per statement. */
const ROWS = 100;

/** Inserts rows. Rows that violate a unique key are ignored. Returns how many were inserted. */
export async function insertNew<C extends Columns>(
  { dialect, executeOnce }: Pick<Statements, 'dialect' | 'executeOnce'>,
  table: Table<C>,
  rows: readonly Parameters<Table<C>['encode']>[0][],
): Promise<number> {
  let inserted = 0;
  for (let at = 0; at < rows.length; at += ROWS) {
    const values = rows.slice(at, at + ROWS).map((row) => table.byColumn(table.encode(row)));
    const columns = Object.keys(values[0] ?? {});
    const places = `(${columns.map(() => '?').join(', ')})`;
    // In MySQL, IGNORE also truncates values that are too long: schemas and the adapter bound them.
    const insert = dialect === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
    const { changed } = await executeOnce(
      `${insert} INTO ${table.name} (${columns.join(', ')}) VALUES ${values.map(() => places).join(', ')}`,
      values.flatMap((row) => columns.map((column) => row[column])),
    );
    inserted += changed;
  }
  return inserted;
}
