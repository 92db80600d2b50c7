import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';

/**
 * The part of the `sqlite3` package's callback interface that Sequelize's sqlite dialect uses, over a synchronous driver whose
 * binaries come inside its npm package: nothing is compiled or downloaded at install. Given to Sequelize as `dialectModule`.
 *
 * Sequelize opens a connection per transaction; closing one here gives its handle back for the next.
 */

export const OPEN_READONLY = 1;
export const OPEN_READWRITE = 2;
export const OPEN_CREATE = 4;

type Callback = (this: Statement, error: Error | null, rows?: unknown) => void;
type Params = Record<string, unknown> | unknown[] | null | undefined;

/** What sqlite3 offers as `this` in callbacks. */
interface Statement {
  sql: string;
  lastID: number;
  changes: number;
}

interface Prepared {
  statement: StatementSyncInstance;
  reads: boolean;
}

interface Handle {
  connection: DatabaseSyncInstance;
  statements: Map<string, Prepared>;
}

const MAX_STATEMENTS = 300;
const MAX_IDLE = 4;
const OPEN_TIMEOUT_MS = 10_000;
const idle = new Map<string, Handle[]>();

// A commit is on disk before it is answered: FULL costs one fsync of the log per turn.
const PRAGMAS =
  'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=0';

/** SQLite result codes that Sequelize and our retry tell apart, by primary code (https://sqlite.org/rescode.html). */
const codes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  13: 'SQLITE_FULL',
  19: 'SQLITE_CONSTRAINT',
};

function open(file: string, readOnly: boolean): Handle {
  const reused = readOnly ? undefined : idle.get(file)?.pop();
  if (reused) return reused;
  const connection = new DatabaseSync(file, { readOnly, timeout: 0 });
  prepareSession(connection, Date.now() + OPEN_TIMEOUT_MS);
  return { connection, statements: new Map() };
}

/**
 * Another process may be making this file, or reading its log after a crash: both end soon. SQLite's own wait gives up at once when two
 * processes make the same file, since each waits for the other.
 */
function prepareSession(connection: DatabaseSyncInstance, deadline: number): void {
  for (;;) {
    try {
      connection.exec(PRAGMAS);
      return;
    } catch (error) {
      const { errcode = 0 } = error as { errcode?: number };
      if (codes[errcode & 255] !== 'SQLITE_BUSY' || Date.now() > deadline) {
        connection.close();
        throw error;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + Math.random() * 20);
    }
  }
}

/**
 * Closes this handle, and those that wait for reuse. What was committed goes into the file first: the driver has no way to end the
 * statements that we keep, so the last close does not do it, and whoever copied the file would copy an empty one.
 */
export function closeAll(last: Handle, file: string): void {
  for (const handle of idle.get(file) ?? []) close(handle);
  idle.delete(file);
  try {
    last.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // No space for it, or another process is at it: beside the file, nothing is lost.
  }
  close(last);
}

function close(handle: Handle): void {
  handle.statements.clear();
  handle.connection.close();
}

/** Prepares once per handle, then runs; also the narrow path of hot reads. */
export function select(handle: Handle, sql: string, params: unknown[]): Record<string, unknown>[] {
  return prepare(handle, sql).statement.all(...params.map(bindable)) as Record<string, unknown>[];
}

interface Answer {
  rows: Record<string, unknown>[];
  changed: number;
  insertedId: number;
}

/** Runs it at once and returns its result; throws an error with a `code`. */
export function answerOf(handle: Handle, sql: string, params: unknown[]): Answer {
  try {
    const { statement, reads } = prepare(handle, sql);
    const values = params.map(bindable);
    if (reads)
      return { rows: statement.all(...values) as Record<string, unknown>[], changed: 0, insertedId: 0 };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], changed: Number(changes), insertedId: Number(lastInsertRowid) };
  } catch (error) {
    throw translated(error);
  }
}

export const openHandle = (file: string): Handle => open(file, false);

/** Cannot write, and does not make a file that is not there. */
export const openReader = (file: string): Handle => open(file, true);

function prepare(handle: Handle, sql: string): Prepared {
  const known = handle.statements.get(sql);
  if (known) return known;
  const statement = handle.connection.prepare(sql);
  const prepared = { statement, reads: statement.columns().length > 0 };
  // Bulk inserts carry their values in the text: keeping those would only fill memory.
  if (sql.length < 4096) {
    if (handle.statements.size >= MAX_STATEMENTS) handle.statements.clear();
    handle.statements.set(sql, prepared);
  }
  return prepared;
}

type Bindable = null | number | bigint | string | Uint8Array;

const bindable = (value: unknown): Bindable =>
  value === undefined || value === null
    ? null
    : typeof value === 'boolean'
      ? Number(value)
      : (value as Bindable);

function bound(params: Params): [] | Bindable[] | [Record<string, Bindable>] {
  if (!params) return [];
  if (Array.isArray(params)) return params.map(bindable);
  const entries = Object.entries(params);
  return entries.length === 0
    ? []
    : [Object.fromEntries(entries.map(([key, value]) => [key, bindable(value)]))];
}

function translated(error: unknown): Error {
  const cause = error as Error & { errcode?: number };
  const code = codes[(cause.errcode ?? 0) & 255] ?? 'SQLITE_ERROR';
  // Sequelize reads both the code and the start of the message.
  return Object.assign(new Error(`${code}: ${cause.message}`, { cause }), { code });
}

export class Database {
  readonly filename: string;
  private readonly handle: Handle | undefined;
  private readonly readOnly: boolean;

  constructor(filename: string, mode: number, opened: (error: Error | null) => void) {
    this.filename = filename;
    this.readOnly = (mode & OPEN_READONLY) !== 0;
    let failure: Error | null = null;
    try {
      this.handle = open(filename, this.readOnly);
    } catch (error) {
      failure = translated(error);
    }
    queueMicrotask(() => opened(failure));
  }

  /** Throws as `answerOf` does. */
  answer(sql: string, params: unknown[]): Answer {
    if (!this.handle) throw translated(new Error('the database is not open'));
    return answerOf(this.handle, sql, params);
  }

  serialize(run: () => void): void {
    run();
  }

  run(sql: string, params?: Params | Callback, done?: Callback): this {
    return this.execute('run', sql, params, done);
  }

  all(sql: string, params?: Params | Callback, done?: Callback): this {
    return this.execute('all', sql, params, done);
  }

  exec(sql: string, done?: (error: Error | null) => void): this {
    let failure: Error | null = null;
    try {
      this.handle?.connection.exec(sql);
    } catch (error) {
      failure = translated(error);
    }
    if (done) queueMicrotask(() => done(failure));
    return this;
  }

  close(done?: (error: Error | null) => void): void {
    const { handle } = this;
    if (handle) {
      const waiting = idle.get(this.filename) ?? [];
      if (!this.readOnly && !handle.connection.isTransaction && waiting.length < MAX_IDLE) {
        idle.set(this.filename, [...waiting, handle]);
      } else {
        handle.connection.close();
      }
    }
    if (done) queueMicrotask(() => done(null));
  }

  /** Sequelize also rolls back what never began, because another process held the write lock: there is nothing to undo, or to report. */
  private isIdleRollback(sql: string): boolean {
    return /^ROLLBACK\b/.test(sql) && this.handle?.connection.isTransaction === false;
  }

  private execute(kind: 'run' | 'all', sql: string, params?: Params | Callback, done?: Callback): this {
    const callback = typeof params === 'function' ? params : done;
    const values = typeof params === 'function' ? undefined : params;
    const statement: Statement = { sql, lastID: 0, changes: 0 };
    let failure: Error | null = null;
    let rows: unknown[] | undefined = kind === 'all' ? [] : undefined;
    try {
      if (!this.handle) throw new Error('the database is not open');
      const prepared = prepare(this.handle, this.isIdleRollback(sql) ? 'SELECT 1' : sql);
      const args = bound(values) as Bindable[];
      if (prepared.reads) {
        rows = prepared.statement.all(...args) as unknown[];
      } else {
        const result = prepared.statement.run(...args);
        statement.lastID = Number(result.lastInsertRowid);
        statement.changes = Number(result.changes);
      }
    } catch (error) {
      failure = translated(error);
    }
    if (callback) queueMicrotask(() => callback.call(statement, failure, rows));
    return this;
  }
}
