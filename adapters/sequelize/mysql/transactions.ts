import type { Send } from '../database/connection.js';
import type { Statement } from '../database/statement.js';
import { execute, executeTogether, type MysqlConnection } from './messages.js';

interface Pool {
  acquire(): Promise<MysqlConnection>;
  release(connection: MysqlConnection): void;
  /** For a connection in an unknown state. */
  destroy(connection: MysqlConnection): Promise<void>;
}

const start: Statement = { sql: 'START TRANSACTION', params: [], prepared: false };

/** Runs transactions. START TRANSACTION is sent with the first statement, to save a round trip. */
export function createMysqlTransactions({ acquire, release, destroy }: Pool) {
  return async <T>(work: (send: Send) => Promise<T>): Promise<T> => {
    const connection = await acquire();
    let isBegun = false;
    const send: Send = async (statements) => {
      if (isBegun) return executeTogether(connection, statements);
      isBegun = true;
      return (await executeTogether(connection, [start, ...statements])).slice(1);
    };
    const end = async (how: 'COMMIT' | 'ROLLBACK'): Promise<void> => {
      if (isBegun) await execute(connection, 'query', how, []);
      release(connection);
    };
    try {
      const result = await work(send);
      await end('COMMIT');
      return result;
    } catch (error) {
      // The transaction may be gone already. Report the error that ended it.
      await end('ROLLBACK').catch(() => destroy(connection).catch(() => {}));
      throw error;
    }
  };
}
