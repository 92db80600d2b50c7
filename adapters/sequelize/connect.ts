import { type Options, Sequelize, type Transaction } from 'sequelize';
import type { ConnectionUse } from '../../core/ports/store/operations.js';
import { asStoreError, isCutOff } from './errors.js';
import { type MysqlConnection, say } from './mysql-messages.js';
import { prepareSession } from './mysql-session.js';
import { createMysqlTransactions } from './mysql-transactions.js';
import { createReadLine, type Row } from './read-line.js';
import * as sqliteDriver from './sqlite-driver.js';
import { ownFile, sqliteFileOf } from './sqlite-file.js';
import type { Answer, Statement } from './statement.js';

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
  /** null for SQLite, which has no pool. */
  use(): ConnectionUse | null;
  close(): Promise<void>;
}

const quiet: Options = {
  logging: false,
  // One statement tried again inside a transaction that was undone would do half of it: transact.ts tries again as a whole.
  retry: { max: 1 },
  define: { timestamps: false, underscored: true, freezeTableName: true },
};

export function connect(options: DatabaseOptions): Connection {
  return options.url.startsWith('sqlite:') ? connectSqlite(options.url) : connectMysql(options);
}

function connectSqlite(url: string): Connection {
  const file = sqliteFileOf(url);
  ownFile(file);
  const sequelize = new Sequelize({
    ...quiet,
    dialect: 'sqlite',
    dialectModule: sqliteDriver,
    storage: file,
    transactionType: 'IMMEDIATE' as never,
  });
  const reader = sqliteDriver.openHandle(file);
  return {
    dialect: 'sqlite',
    file,
    sequelize,
    writers: 1,
    read: async (sql, params) => sqliteDriver.select(reader, sql, params),
    readRow: async (sql, id) => sqliteDriver.select(reader, sql, [id])[0] ?? null,
    readList: async (sql, params) => sqliteDriver.select(reader, sql, params),
    transaction: (work) => sequelize.transaction(work),
    async within(transaction, statements) {
      const database = connectionOf(transaction) as sqliteDriver.Database;
      return statements.map(({ sql, params }) => database.answer(sql, params));
    },
    alone: async (sql, params) => sqliteDriver.answerOf(reader, sql, params),
    use: () => null,
    async close() {
      await sequelize.close();
      sqliteDriver.closeAll(reader, file);
    },
  };
}

/** What Sequelize's pool knows of itself, and its types do not say. */
interface Pool {
  size: number;
  using: number;
  waiting: number;
}

function useOf(pools: Sequelize[]): ConnectionUse {
  const known = pools.map(({ connectionManager }) => (connectionManager as unknown as { pool: Pool }).pool);
  const sum = (of: (pool: Pool) => number): number => known.reduce((all, pool) => all + of(pool), 0);
  return {
    open: sum(({ size }) => size),
    busy: sum(({ using }) => using),
    waiting: sum(({ waiting }) => waiting),
  };
}

/** Sequelize keeps it there, and its types do not say so. */
const connectionOf = (transaction: Transaction): unknown =>
  (transaction as unknown as { connection: unknown }).connection;

/** Sequelize's types do not say what its connections are. */
const connectionsOf = ({ connectionManager }: Sequelize) => ({
  acquire: () => connectionManager.getConnection({} as never) as unknown as Promise<MysqlConnection>,
  release: (connection: MysqlConnection) => connectionManager.releaseConnection(connection as never),
  destroy: (connection: MysqlConnection) =>
    (connectionManager as unknown as { destroyConnection(gone: unknown): Promise<void> }).destroyConnection(
      connection,
    ),
});

/** Reads have connections of their own: however many turns wait for a lock, what is there can be looked at. */
function connectMysql(options: DatabaseOptions): Connection {
  const readers = Math.max(1, Math.floor(options.poolSize / 3));
  // A migration holds its lock on one connection and looks around on another.
  const writers = Math.max(2, options.poolSize - readers);
  const reading = mysqlPool(options, readers);
  const sequelize = mysqlPool(options, writers, { multipleStatements: true });
  const line = createReadLine({
    seats: readers,
    ...connectionsOf(reading),
    say: async (connection, sql, params) => (await say(connection, 'execute', sql, params)).rows,
    isCutOff,
    patienceMs: LINE_MS,
  });
  const { acquire, release, destroy } = connectionsOf(sequelize);
  const transactions = createMysqlTransactions({ acquire, release, destroy });
  return {
    dialect: 'mysql',
    file: null,
    sequelize,
    writers,
    read: (sql, params) => line.rows(sql, params).catch(asItsOwn),
    readRow: (sql, id) => line.rowOf(sql, id).catch(asItsOwn),
    readList: (sql, params) => line.listOf(sql, params).catch(asItsOwn),
    // As far as statements past the ORM go, a transaction is its connection.
    transaction: (work) => transactions.run((connection) => work({ connection } as unknown as Transaction)),
    within: (transaction, statements) =>
      transactions.say(connectionOf(transaction) as MysqlConnection, statements),
    async alone(sql, params) {
      const connection = await acquire();
      try {
        return await say(connection, 'execute', sql, params);
      } finally {
        release(connection);
      }
    },
    use() {
      const { waiting, ...use } = useOf([reading, sequelize]);
      return { ...use, waiting: waiting + line.waiting };
    },
    async close() {
      await Promise.all([reading.close(), sequelize.close()]);
    },
  };
}

function mysqlPool(
  { url, statementTimeoutMs }: DatabaseOptions,
  connections: number,
  more: object = {},
): Sequelize {
  const sequelize = new Sequelize(url, {
    ...quiet,
    dialect: 'mysql',
    timezone: '+00:00',
    pool: { max: connections, min: 0, idle: 30_000, acquire: 10_000 },
    dialectOptions: {
      connectTimeout: 5000,
      charset: 'utf8mb4_unicode_ci',
      supportBigNumbers: true,
      maxPreparedStatements: 300,
      // Sequelize would cast cell by cell with a function of its own, at twenty times the cost. The tables' columns know the driver's types.
      typeCast: true,
      ...more,
    },
  });
  sequelize.addHook('afterConnect', async (connection) => {
    const session = connection as { promise(): { query(sql: string): Promise<unknown> } };
    await prepareSession((sql) => session.promise().query(sql), statementTimeoutMs);
  });
  return sequelize;
}

/** A read waits no longer than this for a connection. */
const LINE_MS = 10_000;

const asItsOwn = (error: unknown): never => {
  throw asStoreError(error);
};
