import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Options, Sequelize } from 'sequelize';
import { asStoreError } from './errors.js';
import * as sqliteDriver from './sqlite-driver.js';

export type Row = Record<string, unknown>;

export interface DatabaseOptions {
  /** `mysql://…` or `sqlite:<file>`. */
  url: string;
  /** MySQL only. */
  poolSize: number;
  /** MySQL only: the server gives up on a statement after this long. */
  statementTimeoutMs: number;
}

export interface Connection {
  dialect: 'mysql' | 'sqlite';
  sequelize: Sequelize;
  /** Hot reads: a prepared statement on a plain connection, past the ORM. `?` placeholders. */
  read(sql: string, params: unknown[]): Promise<Row[]>;
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
  const file = resolve(url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));
  mkdirSync(dirname(file), { recursive: true });
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
    sequelize,
    read: async (sql, params) => sqliteDriver.select(reader, sql, params),
    async close() {
      await sequelize.close();
      reader.connection.close();
      sqliteDriver.closeIdle(file);
    },
  };
}

interface MysqlConnection {
  execute(sql: string, params: unknown[], done: (error: Error | null, rows: Row[]) => void): void;
}

function connectMysql({ url, poolSize, statementTimeoutMs }: DatabaseOptions): Connection {
  const sequelize = new Sequelize(url, {
    ...quiet,
    dialect: 'mysql',
    timezone: '+00:00',
    // A migration holds its lock on one connection and looks around on another.
    pool: { max: Math.max(2, poolSize), min: 0, idle: 30_000, acquire: 10_000 },
    dialectOptions: {
      connectTimeout: 5000,
      charset: 'utf8mb4_unicode_ci',
      supportBigNumbers: true,
      maxPreparedStatements: 300,
      // Sequelize would cast cell by cell with a function of its own, at twenty times the cost. rows.ts knows the driver's types.
      typeCast: true,
    },
  });
  sequelize.addHook('afterConnect', async (connection) => {
    const session = connection as { promise(): { query(sql: string): Promise<unknown> } };
    const seconds = statementTimeoutMs / 1000;
    // Two indexes that each find half of the rows cost more than the one that fits, and lock more, too.
    await session.promise().query(`SET SESSION optimizer_switch = 'index_merge_intersection=off'`);
    // MariaDB and MySQL name the limit differently; MySQL's holds for SELECT only, so locks have their own limit.
    // A process that was cut off in a turn must not keep its row locks for hours.
    await session.promise().query('SET SESSION wait_timeout = 60');
    await session
      .promise()
      .query(`SET SESSION innodb_lock_wait_timeout = ${Math.max(1, Math.ceil(seconds))}`);
    await session
      .promise()
      .query(`SET SESSION max_statement_time = ${seconds}`)
      .catch(() => session.promise().query(`SET SESSION max_execution_time = ${statementTimeoutMs}`));
  });
  return {
    dialect: 'mysql',
    sequelize,
    async read(sql, params) {
      try {
        return await readOnce(sequelize, sql, params);
      } catch (error) {
        throw asStoreError(error);
      }
    },
    close: () => sequelize.close(),
  };
}

async function readOnce(sequelize: Sequelize, sql: string, params: unknown[]): Promise<Row[]> {
  const pool = sequelize.connectionManager;
  const connection = await pool.getConnection({ type: 'read' } as never);
  try {
    return await new Promise((done, fail) => {
      (connection as unknown as MysqlConnection).execute(sql, params, (error, rows) =>
        error ? fail(error) : done(rows),
      );
    });
  } finally {
    pool.releaseConnection(connection);
  }
}
