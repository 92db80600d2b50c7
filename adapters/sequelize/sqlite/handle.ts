import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { Answer, Row } from '../database/statement.js';
import type { WriteAheadLog } from './write-ahead-log.js';

/**
 * A connection to a database file, with its prepared statements. The driver's npm package holds its binaries: nothing
 * is compiled at install.
 */
export interface Handle {
  readonly connection: DatabaseSyncInstance;
  readonly statements: Map<string, Prepared>;
  /** Is told of commits; null where each is on disk when it returns. */
  readonly log: WriteAheadLog | null;
  /** How many bytes of values the transaction under way has written. */
  written: number;
}

interface Prepared {
  statement: StatementSyncInstance;
  reads: boolean;
  /** Outside of a transaction it commits. */
  commits: boolean;
}

/** By position, or by name. */
export type Params = Record<string, unknown> | unknown[] | null | undefined;

const MAX_STATEMENTS = 300;
const OPEN_TIMEOUT_MS = 10_000;

// A commit only writes to the log. `write-ahead-log.ts` brings the log to the disk and into the file, because here
// both would hold up the event loop.
const PRAGMAS = `PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=0`;

/** SQLite result codes that Sequelize and our retry tell apart, by primary code (https://sqlite.org/rescode.html). */
const codes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  13: 'SQLITE_FULL',
  19: 'SQLITE_CONSTRAINT',
};

/** Throws an error with a `code`. */
export function openHandle(file: string, log: WriteAheadLog): Handle {
  try {
    const connection = new DatabaseSync(file, { timeout: 0 });
    const isLogged = prepareSession(connection, Date.now() + OPEN_TIMEOUT_MS);
    return { connection, statements: new Map(), log: isLogged ? log : null, written: 0 };
  } catch (error) {
    throw translated(error);
  }
}

/** Cannot write, and does not make a file that is not there. */
export function openReader(file: string): Handle {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  return { connection, statements: new Map(), log: null, written: 0 };
}

/**
 * Sets the connection up; waits while another process makes this file, or reads its log after a crash, which both end
 * soon. (SQLite's own wait gives up at once when two processes make the same file, because each waits for the other.)
 * False where the file system cannot have a log, as on some network drives: there, each commit is synced by itself.
 */
function prepareSession(connection: DatabaseSyncInstance, deadline: number): boolean {
  for (;;) {
    try {
      const mode = connection.prepare('PRAGMA journal_mode=WAL').get() as { journal_mode: string };
      connection.exec(PRAGMAS);
      if (mode.journal_mode === 'wal') return true;
      connection.exec('PRAGMA synchronous=FULL');
      return false;
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

export function closeHandle(handle: Handle): void {
  handle.statements.clear();
  handle.connection.close();
}

/** The narrow path of hot reads: prepares once per handle, then runs. Throws the driver's error. */
export const select = (handle: Handle, sql: string, params: unknown[]): Row[] =>
  prepare(handle, sql).statement.all(...params.map(bindable)) as Row[];

const nothing: Answer = { rows: [], changed: 0, insertedId: 0 };

/**
 * Runs it at once and returns its result; throws an error with a `code`. Once the disk has failed, nothing more is
 * begun: that throws the log's reason.
 */
export function answerOf(handle: Handle, sql: string, params: Params): Answer {
  // Sequelize also rolls back what never began, because another process held the write lock. There is nothing to
  // undo or to report.
  if (/^ROLLBACK\b/.test(sql) && !handle.connection.isTransaction) return nothing;
  const prepared = translating(() => prepare(handle, sql));
  if (prepared.commits && !prepared.reads && !handle.connection.isTransaction) handle.log?.mustWork();
  return translating(() => run(handle, prepared, bound(params) as Bindable[]));
}

function run(handle: Handle, { statement, reads, commits }: Prepared, values: Bindable[]): Answer {
  if (reads) return { rows: statement.all(...values) as Row[], changed: 0, insertedId: 0 };
  const { changes, lastInsertRowid } = statement.run(...values);
  for (const value of values) handle.written += sizeOf(value);
  if (!handle.connection.isTransaction) endTransaction(handle, commits);
  return { rows: [], changed: Number(changes), insertedId: Number(lastInsertRowid) };
}

function endTransaction(handle: Handle, committed: boolean): void {
  if (committed) handle.log?.committed(handle.written);
  handle.written = 0;
}

function prepare(handle: Handle, sql: string): Prepared {
  const known = handle.statements.get(sql);
  if (known) return known;
  const statement = handle.connection.prepare(sql);
  const prepared = {
    statement,
    reads: statement.columns().length > 0,
    commits: !/^\s*(PRAGMA|ROLLBACK)\b/i.test(sql),
  };
  // Bulk inserts carry their values in the text: keeping those would only fill memory.
  if (sql.length < 4096) {
    if (handle.statements.size >= MAX_STATEMENTS) handle.statements.clear();
    handle.statements.set(sql, prepared);
  }
  return prepared;
}

type Bindable = null | number | bigint | string | Uint8Array;

const sizeOf = (value: Bindable): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;

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

function translating<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translated(error);
  }
}

function translated(error: unknown): Error {
  const cause = error as Error & { errcode?: number };
  const code = codes[(cause.errcode ?? 0) & 255] ?? 'SQLITE_ERROR';
  // Sequelize reads both the code and the start of the message.
  return Object.assign(new Error(`${code}: ${cause.message}`, { cause }), { code });
}
