import { setImmediate as afterOthers } from 'node:timers';
import { StoreBusy } from '../../../core/ports/store/store-errors.js';
import { withLists } from '../database/in-lists.js';
import type { Row } from '../database/statement.js';

/** Reads on dedicated connections. Rows may be shared, so callers must not change them. */
export interface ReadQueue {
  /** Queued reads with the same `sql` and `params` share one statement. */
  rows(sql: string, params: unknown[]): Promise<Row[]>;
  /** Returns the row with this id. `sql` ends with `IN (?)` and selects the id, so that reads share a statement. */
  rowOf(sql: string, id: string): Promise<Row | null>;
  readonly waiting: number;
}

interface ReadQueueOptions<Connection> {
  connections: number;
  acquire: () => Promise<Connection>;
  release: (connection: Connection) => void;
  execute: (connection: Connection, sql: string, params: unknown[]) => Promise<Row[]>;
  /** The connection was lost, so the statement can be retried. */
  isCutOff: (error: unknown) => boolean;
  timeoutMs: number;
}

interface Reading {
  /** Created when it is sent: until then, further reads may join. */
  statement: () => [sql: string, params: unknown[]];
  /** Called when the statement is sent. After this, no read can join. */
  close: () => void;
  resolve: (rows: Row[]) => void;
  reject: (error: unknown) => void;
  timer: NodeJS.Timeout;
}

/** Maximum rows per statement. A row may hold hundreds of kilobytes. */
const MAX_ROWS = 32;

/**
 * The queue for the reading connections. Rejects with the statement's error (after one retry if the connection is
 * lost), and with StoreBusy after `timeoutMs` in the queue.
 */
export function createReadQueue<Connection>({
  connections,
  acquire,
  release,
  execute,
  isCutOff,
  timeoutMs,
}: ReadQueueOptions<Connection>): ReadQueue {
  const queue = new Set<Reading>();
  let taken = 0;
  let waking = false;

  function next(): Reading | undefined {
    for (const reading of queue) {
      remove(reading);
      clearTimeout(reading.timer);
      return reading;
    }
    return undefined;
  }

  function remove(reading: Reading): void {
    queue.delete(reading);
    reading.close();
  }

  /** Reuses the connection until the queue is empty or a statement fails. */
  async function serve(connection: Connection): Promise<void> {
    for (let reading = next(); reading; reading = next()) {
      try {
        reading.resolve(await execute(connection, ...reading.statement()));
      } catch (error) {
        reading.reject(error);
        return;
      }
    }
  }

  async function work(): Promise<void> {
    taken += 1;
    let acquired = false;
    try {
      const connection = await acquire();
      acquired = true;
      await serve(connection).finally(() => release(connection));
    } catch (error) {
      // Each connection serves the whole queue, so reject the queue only when the last one fails.
      if (taken === 1) for (let reading = next(); reading; reading = next()) reading.reject(error);
    } finally {
      taken -= 1;
      if (acquired && queue.size > 0) wake();
    }
  }

  /** Runs after all I/O events of this loop iteration, so that reads that arrived together are sent together. */
  function wake(): void {
    if (waking) return;
    waking = true;
    afterOthers(() => {
      waking = false;
      for (let more = Math.min(queue.size, connections - taken); more > 0; more -= 1) void work();
    });
  }

  const enqueue = ({ statement, close }: Pick<Reading, 'statement' | 'close'>): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        remove(reading);
        reject(new StoreBusy(new Error(`no connection for reading was free within ${timeoutMs} ms`)));
      }, timeoutMs);
      const reading: Reading = { statement, close, resolve, reject, timer };
      queue.add(reading);
      if (taken < connections) wake();
    });

  /** Retries each read once if the connection is lost, because that fails all reads that share the statement. */
  const enqueueWithRetry = (asked: Pick<Reading, 'statement' | 'close'>): Promise<Row[]> =>
    enqueue(asked).catch((error: unknown) => {
      if (!isCutOff(error)) throw error;
      return enqueue(asked);
    });

  const same = new Map<string, Promise<Row[]>>();
  const alike = new Map<string, { ids: Set<string>; rows: Promise<Map<unknown, Row>> }>();

  function askFor(sql: string) {
    const ids = new Set<string>();
    const rows = enqueueWithRetry({
      statement: () => withLists(sql, [[...ids]]),
      close() {
        if (alike.get(sql)?.ids === ids) alike.delete(sql);
      },
    }).then((found) => new Map(found.map((row) => [row.id, row])));
    const asked = { ids, rows };
    alike.set(sql, asked);
    return asked;
  }

  return {
    get waiting() {
      return queue.size;
    },
    rows(sql, params) {
      const key = `${sql}${JSON.stringify(params)}`;
      const joined = same.get(key);
      if (joined) return joined;
      const rows = enqueueWithRetry({ statement: () => [sql, params], close: () => same.delete(key) });
      same.set(key, rows);
      return rows;
    },
    async rowOf(sql, id) {
      let asked = alike.get(sql);
      if (!asked || asked.ids.size >= MAX_ROWS) asked = askFor(sql);
      asked.ids.add(id);
      return (await asked.rows).get(id) ?? null;
    },
  };
}
