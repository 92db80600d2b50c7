import type { Sequelize, Transaction } from 'sequelize';
import type { ConnectionUse } from '../../../core/ports/store/operations.js';
import type { Row, Statement, StatementResult } from './statement.js';

export type { Row };

export interface DatabaseOptions {
  /** `mysql://…` or `sqlite:<file>`. */
  url: string;
  /** MySQL only: total connections. A third of them is for reads. */
  poolSize: number;
  /** MySQL only: the server ends a statement after this time; the client closes a silent connection 1 s later. */
  statementTimeoutMs: number;
}

export interface Connection {
  dialect: 'mysql' | 'sqlite';
  /** SQLite only; else null. */
  file: string | null;
  sequelize: Sequelize;
  /** Maximum number of concurrent transactions. */
  writers: number;
  /**
   * Runs a prepared statement on a plain connection, without the ORM. Placeholders are `?`. Equal concurrent reads may
   * share their rows, so callers must not change them.
   */
  read(sql: string, params: unknown[]): Promise<Row[]>;
  /** Like `read`, for statements that examine many rows. With SQLite, a thread executes them. */
  readLong(sql: string, params: unknown[]): Promise<Row[]>;
  /**
   * Returns the row with this id, or null. `sql` ends with `IN (?)` and selects the id, because one statement may
   * read the rows of many ids.
   */
  readRow(sql: string, id: string): Promise<Row | null>;
  /** Runs `work` in a transaction without the ORM. If `work` throws, rolls back and rejects with its error. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs statements of a transaction in order, without the ORM, in as few messages as possible. Rejects with the
   * driver's error; statements after the failed one did not run.
   */
  within(transaction: Transaction, statements: readonly Statement[]): Promise<StatementResult[]>;
  /**
   * SQLite only, else null. Resolves when all commits are on disk; rejects if the disk has failed. Do not confirm any
   * write before it resolves.
   */
  onDisk: (() => Promise<void>) | null;
  /** SQLite only: moves all commits into the file, so that the log beside it holds no older pages. */
  emptyLog?: () => void;
  /** SQLite only: returns a slice of unused space to the file system; true if there is more. */
  shrink?: () => Promise<boolean>;
  /** Returns the use of the pool; null for SQLite, which has none. */
  use(): ConnectionUse | null;
  close(): Promise<void>;
}

/** Options for all databases. */
export const quiet = {
  logging: false,
  // Retrying a single statement of a rolled-back transaction would lose the others. transact.ts retries the whole
  // transaction.
  retry: { max: 1 },
  define: { timestamps: false, underscored: true, freezeTableName: true },
} as const;

/** Missing from Sequelize's types. */
export const connectionOf = (transaction: Transaction): unknown =>
  (transaction as unknown as { connection: unknown }).connection;

/** Raw statements need only the connection of a transaction. */
export const transactionOn = (connection: unknown): Transaction => ({ connection }) as unknown as Transaction;
