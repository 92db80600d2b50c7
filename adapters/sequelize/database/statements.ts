import type { Transaction } from 'sequelize';
import type { Connection, Row } from './connection.js';
import { withLists } from './in-lists.js';
import type { Answer, Statement } from './statement.js';

/**
 * Statements inside one transaction, as SQL of our own. `?` stands for a value, and in `IN (?)` for a list; the
 * driver prepares a statement once for each connection.
 */
export interface Statements {
  dialect: Connection['dialect'];
  select(sql: string, params: unknown[]): Promise<Row[]>;
  execute(sql: string, params: unknown[]): Promise<Answer>;
  /** For a text of which there is one for every number of rows: not kept by the driver. */
  executeOnce(sql: string, params: unknown[]): Promise<Answer>;
}

/**
 * Statements that are asked for at one moment, before anything is awaited, are sent together, in their order. If one
 * of them fails, all are rejected. After `end` nothing more is sent, not even what still waits: it would be written
 * outside of the transaction.
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
      // Statements that were asked for meanwhile count on these. Where the transaction was undone, each of them
      // would be a transaction of its own.
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
      // Once all that can go on without an answer has done so.
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
      refuseWaiting(hasEnded());
    },
  };
}

const hasEnded = () => new Error('the transaction has ended');

interface Asked extends Statement {
  answered: (answer: Answer) => void;
  failed: (error: unknown) => void;
}
