import type { Transaction } from 'sequelize';
import type { Answer, Connection, Row } from './connect.js';
import type { Models } from './models.js';

/**
 * What can be said inside one transaction: through models, or as SQL of our own. `?` stands for a value, and in `IN (?)` for a list; the driver
 * prepares the statement once for each connection.
 */
export interface Statements {
  models: Models;
  transaction: Transaction;
  select(sql: string, params: unknown[]): Promise<Row[]>;
  execute(sql: string, params: unknown[]): Promise<Answer>;
  /** For a text of which there is one for every number of rows: not kept by the driver. */
  executeOnce(sql: string, params: unknown[]): Promise<Answer>;
}

export function statementsIn(connection: Connection, models: Models, transaction: Transaction): Statements {
  const execute = (sql: string, params: unknown[]) => {
    const [text, values] = withLists(sql, params);
    return connection.within(transaction, text, values, true);
  };
  return {
    models,
    transaction,
    select: async (sql, params) => (await execute(sql, params)).rows,
    execute,
    executeOnce: (sql, params) => connection.within(transaction, sql, params, false),
  };
}

/**
 * Writes lists out. Their last value fills them up to a power of two, so that lists of many lengths are few statements; an empty one holds a null,
 * which nothing equals.
 */
function withLists(sql: string, params: unknown[]): [string, unknown[]] {
  if (!params.some(Array.isArray)) return [sql, params];
  const lists = params.map((param) => (Array.isArray(param) ? filled(param) : [param]));
  let next = 0;
  const text = sql.replace(/\?/g, () =>
    Array(lists[next++]?.length ?? 1)
      .fill('?')
      .join(', '),
  );
  return [text, lists.flat()];
}

/** The list, its last value repeated up to a power of two. */
export function filled<T>(list: readonly T[]): (T | null)[] {
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, list.length)));
  return [...list, ...Array(length - list.length).fill(list.at(-1) ?? null)];
}
