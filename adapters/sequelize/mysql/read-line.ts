import { setImmediate as afterOthers } from 'node:timers';
import { StoreBusy } from '../../../core/ports/store/store-errors.js';
import { withLists } from '../database/in-lists.js';
import type { Row } from '../database/statement.js';

/** Reads on dedicated connections. Rows may be shared, so callers must not change them. */
export interface ReadLine {
  /** Queued reads with the same `sql` and `params` share one statement. */
  rows(sql: string, params: unknown[]): Promise<Row[]>;
  /** Returns the row with this id. `sql` ends with `IN (?)` and selects the id, so that reads share a statement. */
  rowOf(sql: string, id: string): Promise<Row | null>;
  readonly waiting: number;
}

interface ReadLineOptions<Seat> {
  seats: number;
  acquire: () => Promise<Seat>;
  release: (seat: Seat) => void;
  say: (seat: Seat, sql: string, params: unknown[]) => Promise<Row[]>;
  /** The connection was lost, so the statement can be retried. */
  isCutOff: (error: unknown) => boolean;
  patienceMs: number;
}

interface Reading {
  /** Created when it is sent: until then, further reads may join. */
  statement: () => [sql: string, params: unknown[]];
  /** No read can join after this. */
  close: () => void;
  resolve: (rows: Row[]) => void;
  reject: (error: unknown) => void;
  late: NodeJS.Timeout;
}

/** Maximum rows per statement. A row may hold hundreds of kilobytes. */
const MOST_ROWS = 32;

/**
 * The queue for the reading connections. Rejects with the statement's error (after one retry if the connection is
 * lost), and with StoreBusy after `patienceMs` in the queue.
 */
export function createReadLine<Seat>({
  seats,
  acquire,
  release,
  say,
  isCutOff,
  patienceMs,
}: ReadLineOptions<Seat>): ReadLine {
  const line = new Set<Reading>();
  let taken = 0;
  let called = false;

  function next(): Reading | undefined {
    for (const reading of line) {
      leave(reading);
      clearTimeout(reading.late);
      return reading;
    }
    return undefined;
  }

  function leave(reading: Reading): void {
    line.delete(reading);
    reading.close();
  }

  /** Reuses the connection until the queue is empty or a statement fails. */
  async function serve(seat: Seat): Promise<void> {
    for (let reading = next(); reading; reading = next()) {
      try {
        reading.resolve(await say(seat, ...reading.statement()));
      } catch (error) {
        reading.reject(error);
        return;
      }
    }
  }

  async function sit(): Promise<void> {
    taken += 1;
    let seated = false;
    try {
      const seat = await acquire();
      seated = true;
      await serve(seat).finally(() => release(seat));
    } catch (error) {
      // Each connection serves the whole queue, so reject the queue only when the last one fails.
      if (taken === 1) for (let reading = next(); reading; reading = next()) reading.reject(error);
    } finally {
      taken -= 1;
      if (seated && line.size > 0) call();
    }
  }

  /** Runs after all I/O events of this loop iteration, so that reads that arrived together are sent together. */
  function call(): void {
    if (called) return;
    called = true;
    afterOthers(() => {
      called = false;
      for (let more = Math.min(line.size, seats - taken); more > 0; more -= 1) void sit();
    });
  }

  const place = ({ statement, close }: Pick<Reading, 'statement' | 'close'>): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        leave(reading);
        reject(new StoreBusy(new Error(`no connection for reading was free within ${patienceMs} ms`)));
      }, patienceMs);
      const reading: Reading = { statement, close, resolve, reject, late };
      line.add(reading);
      if (taken < seats) call();
    });

  /** A lost connection fails all reads that share the statement: retry each once. */
  const stand = (asked: Pick<Reading, 'statement' | 'close'>): Promise<Row[]> =>
    place(asked).catch((error: unknown) => {
      if (!isCutOff(error)) throw error;
      return place(asked);
    });

  const same = new Map<string, Promise<Row[]>>();
  const alike = new Map<string, { ids: Set<string>; rows: Promise<Map<unknown, Row>> }>();

  function askFor(sql: string) {
    const ids = new Set<string>();
    const rows = stand({
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
      return line.size;
    },
    rows(sql, params) {
      const key = `${sql}${JSON.stringify(params)}`;
      const joined = same.get(key);
      if (joined) return joined;
      const rows = stand({ statement: () => [sql, params], close: () => same.delete(key) });
      same.set(key, rows);
      return rows;
    },
    async rowOf(sql, id) {
      let asked = alike.get(sql);
      if (!asked || asked.ids.size >= MOST_ROWS) asked = askFor(sql);
      asked.ids.add(id);
      return (await asked.rows).get(id) ?? null;
    },
  };
}
