import type { Statement, StatementResult } from '../database/statement.js';
import { type MysqlConnection, send, sendTogether } from './messages.js';

interface Pool {
  acquire(): Promise<MysqlConnection>;
  release(connection: MysqlConnection): void;
  /** Closes a connection whose state is unknown. */
  destroy(connection: MysqlConnection): Promise<void>;
}

export interface MysqlTransactions {
  /** Runs `work` in a transaction on its own connection. The transaction starts with the first statement. */
  run<T>(work: (connection: MysqlConnection) => Promise<T>): Promise<T>;
  send(connection: MysqlConnection, statements: readonly Statement[]): Promise<StatementResult[]>;
}

const start: Statement = { sql: 'START TRANSACTION', params: [], prepared: false };

/** Transactions without the ORM. START TRANSACTION is sent with the first statement, to save a round trip. */
export function createMysqlTransactions({ acquire, release, destroy }: Pool): MysqlTransactions {
  /** Connections whose transaction has not started. */
  const unbegun = new Set<MysqlConnection>();

  async function end(connection: MysqlConnection, how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (!unbegun.delete(connection)) await send(connection, 'query', how, []);
  }

  async function undo(connection: MysqlConnection): Promise<void> {
    try {
      await end(connection, 'ROLLBACK');
    } catch {
      // The transaction may be gone already. Report the error that ended it.
      await destroy(connection).catch(() => {});
      return;
    }
    release(connection);
  }

  return {
    async run(work) {
      const connection = await acquire();
      unbegun.add(connection);
      try {
        const result = await work(connection);
        await end(connection, 'COMMIT');
        release(connection);
        return result;
      } catch (error) {
        await undo(connection);
        throw error;
      }
    },
    send: (connection, statements) =>
      unbegun.delete(connection)
        ? sendTogether(connection, [start, ...statements]).then((results) => results.slice(1))
        : sendTogether(connection, statements),
  };
}
