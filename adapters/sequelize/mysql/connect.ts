import { createRequire } from 'node:module';
import type { ConnectionOptions } from 'mysql2';
import { Sequelize } from 'sequelize';
import {
  type Connection,
  connectionOf,
  type DatabaseOptions,
  quiet,
  transactionOn,
} from '../database/connection.js';
import { asStoreError, isCutOff, isTimeout } from '../database/errors.js';
import { type MysqlConnection, send } from './messages.js';
import { createReadQueue } from './read-queue.js';
import { responseDeadline } from './response-deadline.js';
import { connecting, prepareSession } from './session.js';
import { type MysqlServer, mysqlServer } from './tls.js';
import { createMysqlTransactions } from './transactions.js';

/** Reads have their own connections, so that turns that wait for a lock do not delay them. */
export function connectMysql(options: DatabaseOptions): Connection {
  const readers = Math.max(1, Math.floor(options.poolSize / 3));
  // A migration holds its lock on one connection and runs statements on another.
  const writers = Math.max(2, options.poolSize - readers);
  const server = mysqlServer(options.url);
  const reading = openPool(server, options, readers);
  const sequelize = openPool(server, options, writers, { multipleStatements: true });
  const queue = createReadQueue({
    connections: readers,
    ...connectionsOf(reading),
    execute: async (connection, sql, params) => (await send(connection, 'execute', sql, params)).rows,
    isCutOff: (error) => isCutOff(error) && !isTimeout(error),
    timeoutMs: QUEUE_MS,
  });
  const { acquire, release, destroy } = connectionsOf(sequelize);
  const transactions = createMysqlTransactions({ acquire, release, destroy });
  return {
    dialect: 'mysql',
    file: null,
    sequelize,
    writers,
    read: (sql, params) => queue.rows(sql, params).catch(asItsOwn),
    readLong: (sql, params) => queue.rows(sql, params).catch(asItsOwn),
    readRow: (sql, id) => queue.rowOf(sql, id).catch(asItsOwn),
    transaction: (work) => transactions.run((connection) => work(transactionOn(connection))),
    within: (transaction, statements) =>
      transactions.send(connectionOf(transaction) as MysqlConnection, statements),
    onDisk: null,
    use() {
      const { waiting, ...use } = useOf([reading, sequelize]);
      return { ...use, waiting: waiting + queue.waiting };
    },
    async close() {
      await Promise.all([reading.close(), sequelize.close()]);
    },
  };
}

/** Loads the driver on demand, because SQLite does not need it. */
const loadDriver = () => createRequire(import.meta.url)('mysql2') as typeof import('mysql2');

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
  const watch = responseDeadline(statementTimeoutMs);
  const mysql2 = loadDriver();
  const sequelize = new Sequelize(url, {
    ...quiet,
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
      // Sequelize's own cast calls a function per cell, at twenty times the cost. Our column definitions accept the
      // driver's types.
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
