import type { Sequelize, Transaction } from 'sequelize';
import type { ConnectionUse } from '../../core/ports/store/operations.js';
import type { Answer, Row, Statement } from './statement.js';

export type { Row };

export interface DatabaseOptions {
  /** `mysql://…` or `sqlite:<file>`. */
  url: string;
  /** MySQL only: connections in all, of which a third is for reads. */
  poolSize: number;
  /** MySQL only: the server gives up on a statement after this long. */
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
   * Hot reads: a prepared statement on a plain connection, past the ORM. `?` placeholders. Those who ask the same at the same moment may get the
   * same rows: nobody changes them.
   */
  read(sql: string, params: unknown[]): Promise<Row[]>;
  /** The row with this id, null when there is none. `sql` ends with `IN (?)`; rows of many ids may be read by one statement, which tells the ids. */
  readRow(sql: string, id: string): Promise<Row | null>;
  /** The rows of a list, in any order. `sql` begins with `SELECT`; several lists of the same `sql` may be read by one statement. */
  readList(sql: string, params: unknown[]): Promise<Row[]>;
  /** Runs `work` in a transaction for statements past the ORM, and ends it: with a commit, or where `work` throws, without a trace. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Statements of a transaction, past the ORM, one after the other; a server is sent them in as few messages as they fit in. Rejects with the driver's
   * error; those behind the one that failed were not run.
   */
  within(transaction: Transaction, statements: readonly Statement[]): Promise<Answer[]>;
  /** A statement that is a transaction of its own, past the ORM. Rejects with the error of the driver or of the pool. */
  alone(sql: string, params: unknown[]): Promise<Answer>;
  /** SQLite only, else null: resolves when all that was committed has reached the disk. Until then, nobody may be told that it is stored. */
  onDisk: (() => Promise<void>) | null;
  /** null for SQLite, which has no pool. */
  use(): ConnectionUse | null;
  close(): Promise<void>;
}

/** What all databases are opened with. */
export const quiet = {
  logging: false,
  // One statement tried again inside a transaction that was undone would do half of it: transact.ts tries again as a whole.
  retry: { max: 1 },
  define: { timestamps: false, underscored: true, freezeTableName: true },
} as const;

/** Sequelize keeps it there, and its types do not say so. */
export const connectionOf = (transaction: Transaction): unknown =>
  (transaction as unknown as { connection: unknown }).connection;

/** As far as statements past the ORM go, a transaction is its connection. */
export const transactionOn = (connection: unknown): Transaction => ({ connection }) as unknown as Transaction;
