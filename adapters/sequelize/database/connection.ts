import type { Sequelize, Transaction } from 'sequelize';
import type { ConnectionUse } from '../../../core/ports/store/operations.js';
import type { Answer, Row, Statement } from './statement.js';

export type { Row };

export interface DatabaseOptions {
  /** `mysql://…` or `sqlite:<file>`. */
  url: string;
  /** MySQL only: connections in all, of which a third is for reads. */
  poolSize: number;
  /** MySQL only: the server ends a statement after this time, and the client closes a silent connection 1 s later. */
  statementTimeoutMs: number;
}

export interface Connection {
  dialect: 'mysql' | 'sqlite';
  /** SQLite only; else null. */
  file: string | null;
  sequelize: Sequelize;
  /** How many transactions can run at once. */
  writers: number;
  /**
   * Hot reads: a prepared statement on a plain connection, past the ORM. `?` placeholders. Equal reads of the same
   * moment may share their rows, so nobody may change them.
   */
  read(sql: string, params: unknown[]): Promise<Row[]>;
  /**
   * The row with this id, null when there is none. `sql` ends with `IN (?)` and selects the id, because one statement
   * may read the rows of many ids.
   */
  readRow(sql: string, id: string): Promise<Row | null>;
  /**
   * Runs `work` in a transaction for statements past the ORM, and commits it. When `work` throws, rolls it back and
   * rejects with that.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs statements of a transaction, past the ORM, one after the other. A server gets them in as few messages as they
   * fit in. Rejects with the driver's error; statements after the one that failed were not run.
   */
  within(transaction: Transaction, statements: readonly Statement[]): Promise<Answer[]>;
  /**
   * SQLite only, else null: resolves when all that was committed has reached the disk, and rejects when the disk has
   * failed. Until it resolves, nobody may be told that anything is stored.
   */
  onDisk: (() => Promise<void>) | null;
  /** null for SQLite, which has no pool. */
  use(): ConnectionUse | null;
  close(): Promise<void>;
}

/** What all databases are opened with. */
export const quiet = {
  logging: false,
  // To retry one statement in a transaction that was rolled back would do half of the work: transact.ts retries
  // the whole.
  retry: { max: 1 },
  define: { timestamps: false, underscored: true, freezeTableName: true },
} as const;

/** Sequelize keeps it there, and its types do not say so. */
export const connectionOf = (transaction: Transaction): unknown =>
  (transaction as unknown as { connection: unknown }).connection;

/** As far as statements past the ORM go, a transaction is its connection. */
export const transactionOn = (connection: unknown): Transaction => ({ connection }) as unknown as Transaction;
