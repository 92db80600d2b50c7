import type { Connection } from './connection.js';
import { type Statements, statementsIn } from './statements.js';
import type { Transact } from './transact.js';

export type InTransaction = <T>(
  work: (statements: Statements) => Promise<T>,
  workspaceId?: string,
) => Promise<T>;

/** Runs raw statements in transactions of their own. */
export const inTransactionOf =
  (connection: Connection, transact: Transact): InTransaction =>
  (work, workspaceId) =>
    transact.rawTransaction(async (transaction) => {
      const statements = statementsIn(connection, transaction);
      try {
        return await work(statements);
      } finally {
        statements.end();
      }
    }, workspaceId);
