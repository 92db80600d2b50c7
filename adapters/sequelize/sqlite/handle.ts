import { statSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { Row, StatementResult } from '../database/statement.js';
import type { WriteAheadLog } from './write-ahead-log.js';

/** A connection to a database file, with its prepared statements. The driver's package contains its binaries. */
export interface Handle {
  readonly connection: DatabaseSyncInstance;
  readonly statements: Map<string, Prepared>;
  /** Notified of commits; null if each is on disk when it returns. */
  readonly log: WriteAheadLog | null;
  /** Bytes of values written by the current transaction. */
  written: number;
}

interface Prepared {
  statement: StatementSyncInstance;
  reads: boolean;
  /** Commits if it runs outside of a transaction. */
  commits: boolean;
}

/** By position, or by name. */
export type Params = Record<string, unknown> | unknown[] | null | undefined;

const MAX_STATEMENTS = 300;
const OPEN_TIMEOUT_MS = 10_000;

// A commit only writes to the log. `write-ahead-log.ts` syncs the log and moves it into the file, because both would
// block the event loop here.
const PRAGMAS = `PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=0; PRAGMA secure_delete=ON`;

/** SQLite result codes that Sequelize and our retry distinguish, by primary code (https://sqlite.org/rescode.html). */
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
    const isLogged = prepareSession(connection, file, Date.now() + OPEN_TIMEOUT_MS);
    return { connection, statements: new Map(), log: isLogged ? log : null, written: 0 };
  } catch (error) {
    throw translated(error);
  }
}

/** Opens a handle for reading. Does not create a missing file. */
export function openReader(file: string): Handle {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  return { connection, statements: new Map(), log: null, written: 0 };
}

/**
 * Configures the connection. Waits while another process creates the file or recovers its log; both are short. (The
 * wait of SQLite itself fails at once if two processes create the same file, because each waits for the other.)
 * Returns false if the file system does not support a log, as some network drives do not: then each commit syncs.
 */
function prepareSession(connection: DatabaseSyncInstance, file: string, deadline: number): boolean {
  for (;;) {
    try {
      // Takes effect only in a new file; elsewhere it would begin a transaction. An existing file gets it when a backup
      // is restored.
      if (statSync(file).size === 0) connection.exec('PRAGMA auto_vacuum=INCREMENTAL');
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

/** Runs a frequent read without Sequelize. The statement is prepared once per handle. Throws the driver's error. */
export const select = (handle: Handle, sql: string, params: unknown[]): Row[] =>
  prepare(handle, sql).statement.all(...params.map(bindable)) as Row[];

const nothing: StatementResult = { rows: [], changed: 0, insertedId: 0 };

/** Runs the statement. Throws an error with a `code`; after a disk failure, throws the log's error. */
export function runStatement(handle: Handle, sql: string, params: Params): StatementResult {
  // Sequelize also rolls back transactions that never began, because another process held the write lock.
  if (/^ROLLBACK\b/.test(sql) && !handle.connection.isTransaction) return nothing;
  const prepared = translating(() => prepare(handle, sql));
  if (prepared.commits && !prepared.reads && !handle.connection.isTransaction) handle.log?.mustWork();
  return translating(() => run(handle, prepared, bound(params) as Bindable[]));
}

function run(handle: Handle, { statement, reads, commits }: Prepared, values: Bindable[]): StatementResult {
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
  // Not cached: the texts of bulk inserts contain their values.
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
