import type { Transaction } from 'sequelize';
import type { Connection, Row } from './connection.js';
import { withLists } from './in-lists.js';
import type { Answer, Statement } from './statement.js';

/**
 * Raw SQL inside one transaction. `?` is a value, and in `IN (?)` a list. The driver prepares a statement once per
 * connection.
 */
export interface Statements {
  dialect: Connection['dialect'];
  select(sql: string, params: unknown[]): Promise<Row[]>;
  execute(sql: string, params: unknown[]): Promise<Answer>;
  /** For texts that differ with the number of rows: the driver does not cache them. */
  executeOnce(sql: string, params: unknown[]): Promise<Answer>;
}

/**
 * Sends all statements of one tick together, in order. If one fails, all are rejected. After `end` nothing more is
 * sent, not even queued statements: they would be written outside of the transaction.
 */
export function statementsIn(connection: Connection, transaction: Transaction): Statements & { end(): void } {
  let ended = false;
  let waiting: Asked[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function sayAll(asked: Asked[]): Promise<void> {
    try {
      const answers = await connection.within(transaction, asked);
      for (const [n, { answered }] of asked.entries()) answered(answers[n] as Answer);
    } catch (error) {
      for (const { failed } of asked) failed(error);
      // Queued statements rely on these. If the transaction was rolled back, each would commit on its own.
      refuseWaiting(error);
    }
  }

  function refuseWaiting(reason: unknown): void {
    const behind = waiting;
    waiting = [];
    for (const { failed } of behind) failed(reason);
  }

  function sayWaiting(): Promise<void> {
    const asked = waiting;
    waiting = [];
    return asked.length === 0 ? Promise.resolve() : sayAll(asked);
  }

  const ask = (sql: string, params: unknown[], prepared: boolean): Promise<Answer> =>
    new Promise((answered, failed) => {
      if (ended) return failed(hasEnded());
      waiting.push({ sql, params, prepared, answered, failed });
      if (waiting.length > 1) return;
      // Flush after everything that can run without an answer has run.
      process.nextTick(() => {
        last = last.then(sayWaiting);
      });
    });

  const execute = (sql: string, params: unknown[]) => ask(...withLists(sql, params), true);
  return {
    dialect: connection.dialect,
    select: async (sql, params) => (await execute(sql, params)).rows,
    execute,
    executeOnce: (sql, params) => ask(sql, params, false),
    end() {
      ended = true;
      if (waiting.length > 0) refuseWaiting(hasEnded());
    },
  };
}

const hasEnded = () => new Error('the transaction has ended');

interface Asked extends Statement {
  answered: (answer: Answer) => void;
  failed: (error: unknown) => void;
}
