import type { Transaction } from 'sequelize';
import type { Answer, Connection, Row } from './connect.js';
import { withLists } from './in-lists.js';

/**
 * What can be said inside one transaction, as SQL of our own. `?` stands for a value, and in `IN (?)` for a list; the driver
 * prepares the statement once for each connection.
 */
export interface Statements {
  dialect: Connection['dialect'];
  select(sql: string, params: unknown[]): Promise<Row[]>;
  execute(sql: string, params: unknown[]): Promise<Answer>;
  /** For a text of which there is one for every number of rows: not kept by the driver. */
  executeOnce(sql: string, params: unknown[]): Promise<Answer>;
}

export function statementsIn(connection: Connection, transaction: Transaction): Statements {
  const execute = (sql: string, params: unknown[]) => {
    const [text, values] = withLists(sql, params);
    return connection.within(transaction, text, values, true);
  };
  return {
    dialect: connection.dialect,
    select: async (sql, params) => (await execute(sql, params)).rows,
    execute,
    executeOnce: (sql, params) => connection.within(transaction, sql, params, false),
  };
}

/** A turn without a transaction wanted to send a statement. */
export class NeedsTransaction extends Error {
  override name = 'NeedsTransaction';

  constructor() {
    super('this turn needs a transaction');
  }
}

/** Outside of a transaction: every statement is refused. */
export function nothingSaid(dialect: Connection['dialect']): Statements {
  const refuse = () => Promise.reject(new NeedsTransaction());
  return { dialect, select: refuse, execute: refuse, executeOnce: refuse };
}
