import type { Connection, Row, Send } from './connection.js';
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

interface Queued extends Statement {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Sends all statements of one tick together, in order. If one fails, all are rejected. After `end` nothing more is
 * sent, not even queued statements: they would be written outside of the transaction.
 */
export function statementsOf(dialect: Connection['dialect'], send: Send): Statements & { end(): void } {
  let ended = false;
  let queue: Queued[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function flush(): Promise<void> {
    const batch = queue;
    queue = [];
    if (batch.length === 0) return;
    try {
      const answers = await send(batch);
      for (const [n, { resolve }] of batch.entries()) resolve(answers[n] as Answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      // Queued statements rely on these. If the transaction was rolled back, each would commit on its own.
      rejectQueue(error);
    }
  }

  function rejectQueue(reason: unknown): void {
    for (const { reject } of queue.splice(0)) reject(reason);
  }

  const enqueue = (sql: string, params: unknown[], prepared: boolean): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(hasEnded());
      queue.push({ sql, params, prepared, resolve, reject });
      if (queue.length > 1) return;
      // Flush after everything that can run without an answer has run.
      process.nextTick(() => {
        last = last.then(flush);
      });
    });

  const execute = (sql: string, params: unknown[]) => enqueue(...withLists(sql, params), true);
  return {
    dialect,
    select: async (sql, params) => (await execute(sql, params)).rows,
    execute,
    executeOnce: (sql, params) => enqueue(sql, params, false),
    end() {
      ended = true;
      rejectQueue(hasEnded());
    },
  };
}

const hasEnded = () => new Error('the transaction has ended');
