import type { ConnectionUse } from '../../../core/ports/store/operations.js';
import type { Answer, Row, Statement } from './statement.js';

export type { Row };

export interface DatabaseOptions {
  /** `mysql://…` or `sqlite:<file>`. */
  url: string;
  /** MySQL only: total connections. A third of them is for reads. */
  poolSize: number;
  /** MySQL only: the server ends a statement after this time; the client closes a silent connection 1 s later. */
  statementTimeoutMs: number;
}

/**
 * Runs statements of a transaction in order, in as few messages as possible. Rejects with the driver's error; statements
 * after the failed one did not run.
 */
export type Send = (statements: readonly Statement[]) => Promise<Answer[]>;

export interface Connection {
  dialect: 'mysql' | 'sqlite';
  /** SQLite only; else null. */
  file: string | null;
  /** How many transactions can run at once. */
  writers: number;
  /**
   * Runs a prepared statement outside of transactions. `?` is a value, and in `IN (?)` a list. Equal concurrent reads
   * may share their rows, so callers must not change them.
   */
  read(sql: string, params: unknown[]): Promise<Row[]>;
  /**
   * Returns the row with this id, or null. `sql` ends with `IN (?)` and selects the id, because one statement may
   * read the rows of many ids.
   */
  readRow(sql: string, id: string): Promise<Row | null>;
  /** Runs `work` in a transaction. If `work` throws, rolls back and rejects with its error. */
  transaction<T>(work: (send: Send) => Promise<T>): Promise<T>;
  /** Runs migrations on one connection without time limits. SQLite runs them in a transaction; MySQL commits each. */
  migration<T>(work: (send: Send) => Promise<T>): Promise<T>;
  /**
   * SQLite only, else null. Resolves when all commits are on disk; rejects if the disk has failed. Do not confirm any
   * write before it resolves.
   */
  onDisk: (() => Promise<void>) | null;
  /** null for SQLite, which has no pool. */
  use(): ConnectionUse | null;
  close(): Promise<void>;
}
