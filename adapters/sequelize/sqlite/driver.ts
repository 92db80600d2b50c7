import type { StatementResult } from '../database/statement.js';
import { type Handle, type Params, runStatement } from './handle.js';
import type { Handles } from './handles.js';

type Callback = (this: Statement, error: Error | null, rows?: unknown) => void;

/** `this` in callbacks of sqlite3. */
interface Statement {
  sql: string;
  lastID: number;
  changes: number;
}

/**
 * The part of the `sqlite3` callback interface that Sequelize uses, on a synchronous driver. Passed to Sequelize as
 * `dialectModule`. Sequelize opens a connection per transaction; closing one returns its handle for reuse.
 */
export const createDriver = (handles: Handles): object => ({
  OPEN_READONLY: 1,
  OPEN_READWRITE: 2,
  OPEN_CREATE: 4,
  Database: class extends Database {
    constructor(filename: string, _mode: number, opened: (error: Error | null) => void) {
      super(handles, filename, opened);
    }
  },
});

class Database {
  readonly filename: string;
  /** Undefined if it could not be opened, or was returned for reuse. */
  handle: Handle | undefined;
  private readonly handles: Handles;

  constructor(handles: Handles, filename: string, opened: (error: Error | null) => void) {
    this.handles = handles;
    this.filename = filename;
    let failure: Error | null = null;
    try {
      this.handle = handles.take();
    } catch (error) {
      failure = error as Error;
    }
    queueMicrotask(() => opened(failure));
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

  close(done?: (error: Error | null) => void): void {
    const { handle } = this;
    this.handle = undefined;
    if (handle) this.handles.giveBack(handle);
    if (done) queueMicrotask(() => done(null));
  }

  private execute(kind: 'run' | 'all', sql: string, params?: Params | Callback, done?: Callback): this {
    const callback = typeof params === 'function' ? params : done;
    const statement: Statement = { sql, lastID: 0, changes: 0 };
    let failure: Error | null = null;
    let result: StatementResult | null = null;
    try {
      if (!this.handle) throw new Error('the database is not open');
      result = runStatement(this.handle, sql, typeof params === 'function' ? null : params);
      Object.assign(statement, { lastID: result.insertedId, changes: result.changed });
    } catch (error) {
      failure = error as Error;
    }
    const rows = kind === 'all' || result?.rows.length ? result?.rows : undefined;
    if (callback) queueMicrotask(() => callback.call(statement, failure, rows));
    return this;
  }
}
