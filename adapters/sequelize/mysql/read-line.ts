import { setImmediate as afterOthers } from 'node:timers';
import { StoreBusy } from '../../../core/ports/store/store-errors.js';
import { withLists } from '../database/in-lists.js';
import type { Row } from '../database/statement.js';

/** Reads, on connections of their own. Rows may be shared, so nobody may change them. */
export interface ReadLine {
  /** Reads with the same `sql` and `params` that wait together are answered by the same statement. */
  rows(sql: string, params: unknown[]): Promise<Row[]>;
  /**
   * The row with this id. `sql` ends with `IN (?)` and names the id, so that waiting reads of the same kind
   * share one statement.
   */
  rowOf(sql: string, id: string): Promise<Row | null>;
  readonly waiting: number;
}

interface ReadLineOptions<Seat> {
  seats: number;
  acquire: () => Promise<Seat>;
  release: (seat: Seat) => void;
  say: (seat: Seat, sql: string, params: unknown[]) => Promise<Row[]>;
  /** The connection was lost, which says nothing about the statement. */
  isCutOff: (error: unknown) => boolean;
  patienceMs: number;
}

interface Reading {
  /** Made when it is sent: until then others may join. */
  statement: () => [sql: string, params: unknown[]];
  /** From here on nobody can join. */
  close: () => void;
  resolve: (rows: Row[]) => void;
  reject: (error: unknown) => void;
  late: NodeJS.Timeout;
}

/** Rows that one statement asks for at most: each may be hundreds of kilobytes. */
const MOST_ROWS = 32;

/**
 * The queue before the connections for reading. Rejects as the statement does (when its connection goes away:
 * as its second try does), and with StoreBusy after `patienceMs` in the queue.
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

  /** Keeps its connection while there is somebody in line and nothing fails on it. */
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
      // Each connection serves the whole queue, so only when the last one fails is all waiting in vain.
      if (taken === 1) for (let reading = next(); reading; reading = next()) reading.reject(error);
    } finally {
      taken -= 1;
      if (seated && line.size > 0) call();
    }
  }

  /** After all that one look at the sockets has found: reads that came together are sent together. */
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

  /** A connection that goes away would take along all who share its statement: they are asked for once more. */
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
