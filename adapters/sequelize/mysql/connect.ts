import { createRequire } from 'node:module';
import type { ConnectionOptions } from 'mysql2';
import type { Sequelize } from 'sequelize';
import type { Connection, DatabaseOptions } from '../database/connection.js';
import { asStoreError, isCutOff, isUnanswered } from '../database/errors.js';
import { withLists } from '../database/in-lists.js';
import { answerDeadline, liftAnswerDeadline } from './answer-deadline.js';
import { execute, executeTogether, type MysqlConnection } from './messages.js';
import { createReadQueue } from './read-queue.js';
import { connecting, liftTimeouts, prepareSession } from './session.js';
import { type MysqlServer, mysqlServer } from './tls.js';
import { createMysqlTransactions } from './transactions.js';

/** Reads have their own connections, so that they work however many turns wait for a lock. */
export function connectMysql(options: DatabaseOptions): Connection {
  const readers = Math.max(1, Math.floor(options.poolSize / 3));
  const writers = Math.max(1, options.poolSize - readers);
  const server = mysqlServer(options.url);
  const reading = openPool(server, options, readers);
  const writing = openPool(server, options, writers, { multipleStatements: true });
  const queue = createReadQueue({
    connections: readers,
    ...connectionsOf(reading),
    execute: async (connection, sql, params) => (await execute(connection, 'execute', sql, params)).rows,
    isCutOff: (error) => isCutOff(error) && !isUnanswered(error),
    timeoutMs: QUEUE_MS,
  });
  const { acquire, destroy, ...pool } = connectionsOf(writing);
  return {
    dialect: 'mysql',
    file: null,
    writers,
    read: (sql, params) => queue.rows(...withLists(sql, params)).catch(asItsOwn),
    readRow: (sql, id) => queue.rowOf(sql, id).catch(asItsOwn),
    transaction: createMysqlTransactions({ acquire, destroy, ...pool }),
    async migration(work) {
      const connection = await acquire();
      try {
        liftAnswerDeadline(connection);
        await liftTimeouts((sql) => execute(connection, 'query', sql, []));
        return await work((statements) => executeTogether(connection, statements));
      } finally {
        // It has no timeouts any more. This also releases its locks.
        await destroy(connection);
      }
    },
    onDisk: null,
    use() {
      const { waiting, ...use } = useOf([reading, writing]);
      return { ...use, waiting: waiting + queue.waiting };
    },
    async close() {
      await Promise.all([reading.close(), writing.close()]);
    },
  };
}

/** Loads on demand what an installation on SQLite does not need. */
const load = createRequire(import.meta.url);

/** Maximum time that a read waits for a connection. */
const QUEUE_MS = 10_000;

const asItsOwn = (error: unknown): never => {
  throw asStoreError(error);
};

function openPool(
  { url, ssl }: MysqlServer,
  { statementTimeoutMs }: DatabaseOptions,
  connections: number,
  more: object = {},
): Sequelize {
  const watch = answerDeadline(statementTimeoutMs);
  const mysql2 = load('mysql2') as typeof import('mysql2');
  const { Sequelize } = load('sequelize') as typeof import('sequelize');
  const sequelize = new Sequelize(url, {
    logging: false,
    dialect: 'mysql',
    dialectModule: {
      ...mysql2,
      createConnection(options: ConnectionOptions) {
        const connection = mysql2.createConnection(options);
        connection.once('connect', () => watch(connection));
        return connection;
      },
    },
    timezone: '+00:00',
    pool: { max: connections, min: 0, idle: 30_000, acquire: 10_000 },
    dialectOptions: {
      ...connecting,
      charset: 'utf8mb4_unicode_ci',
      supportBigNumbers: true,
      maxPreparedStatements: 300,
      // Sequelize's own cast runs a function per cell, at twenty times the cost. Our columns know the driver's types.
      typeCast: true,
      ...more,
    },
  });
  sequelize.addHook('beforeConnect', async (config) => {
    Object.assign(config, { dialectOptions: { ...config.dialectOptions, ssl: await ssl() } });
  });
  sequelize.addHook('afterConnect', async (connection) => {
    const session = connection as { promise(): { query(sql: string): Promise<unknown> } };
    await prepareSession((sql) => session.promise().query(sql), statementTimeoutMs);
  });
  return sequelize;
}

/** Sequelize's types do not declare its connections. */
const connectionsOf = ({ connectionManager }: Sequelize) => ({
  acquire: () => connectionManager.getConnection({} as never) as unknown as Promise<MysqlConnection>,
  release: (connection: MysqlConnection) => connectionManager.releaseConnection(connection as never),
  destroy: (connection: MysqlConnection) =>
    (connectionManager as unknown as { destroyConnection(gone: unknown): Promise<void> }).destroyConnection(
      connection,
    ),
});

/** Statistics of Sequelize's pool, which its types do not declare. */
interface Pool {
  size: number;
  using: number;
  waiting: number;
}

function useOf(pools: Sequelize[]) {
  const known = pools.map(({ connectionManager }) => (connectionManager as unknown as { pool: Pool }).pool);
  const sum = (of: (pool: Pool) => number): number => known.reduce((all, pool) => all + of(pool), 0);
  return {
    open: sum(({ size }) => size),
    busy: sum(({ using }) => using),
    waiting: sum(({ waiting }) => waiting),
  };
}
