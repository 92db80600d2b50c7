import type { Transaction } from 'sequelize';
import type { Connection, Row } from './connection.js';
import { withLists } from './in-lists.js';
import type { Statement, StatementResult } from './statement.js';

/**
 * Raw SQL inside one transaction. `?` is a value, and in `IN (?)` a list. The driver prepares a statement once per
 * connection.
 */
export interface Statements {
  dialect: Connection['dialect'];
  select(sql: string, params: unknown[]): Promise<Row[]>;
  execute(sql: string, params: unknown[]): Promise<StatementResult>;
  /** As `execute`, for text that depends on the number of rows: the driver does not cache the statement. */
  executeOnce(sql: string, params: unknown[]): Promise<StatementResult>;
}

/**
 * Sends all statements of one tick together, in order. If one fails, all are rejected. After `end` nothing more is
 * sent, not even queued statements: they would be written outside of the transaction.
 */
export function statementsIn(connection: Connection, transaction: Transaction): Statements & { end(): void } {
  let ended = false;
  let waiting: Queued[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function send(sent: Queued[]): Promise<void> {
    try {
      const results = await connection.within(transaction, sent);
      for (const [n, { resolve }] of sent.entries()) resolve(results[n] as StatementResult);
    } catch (error) {
      for (const { reject } of sent) reject(error);
      // Reject queued statements, which rely on the failed ones. After a rollback, each would commit on its own.
      refuseWaiting(error);
    }
  }

  function refuseWaiting(reason: unknown): void {
    const queued = waiting;
    waiting = [];
    for (const { reject } of queued) reject(reason);
  }

  function flush(): Promise<void> {
    const sent = waiting;
    waiting = [];
    return sent.length === 0 ? Promise.resolve() : send(sent);
  }

  const enqueue = (sql: string, params: unknown[], prepared: boolean): Promise<StatementResult> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(hasEnded());
      waiting.push({ sql, params, prepared, resolve, reject });
      if (waiting.length > 1) return;
      // Flush after everything that can run without a result has run.
      process.nextTick(() => {
        last = last.then(flush);
      });
    });

  const execute = (sql: string, params: unknown[]) => enqueue(...withLists(sql, params), true);
  return {
    dialect: connection.dialect,
    select: async (sql, params) => (await execute(sql, params)).rows,
    execute,
    executeOnce: (sql, params) => enqueue(sql, params, false),
    end() {
      ended = true;
      if (waiting.length > 0) refuseWaiting(hasEnded());
    },
  };
}

const hasEnded = () => new Error('the transaction has ended');

interface Queued extends Statement {
  resolve: (result: StatementResult) => void;
  reject: (error: unknown) => void;
}
