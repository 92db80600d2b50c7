import { setTimeout as sleep } from 'node:timers/promises';
import { QueryTypes, type Transaction } from 'sequelize';
import { SequelizeStorage, Umzug } from 'umzug';
import type { Connection } from './connect.js';
import { isContention, isDone } from './errors.js';
import { initial } from './migrations/001-initial.js';
import { dialects } from './migrations/migration.js';

/** In order; a migration that has been released is never changed. */
const migrations = [initial];

/** Server-wide on MySQL, where several installations may share a server. */
const LOCK = `LEFT(CONCAT('cadre migrations of ', DATABASE()), 64)`;
const LOCK_SECONDS = 60;

export function createMigrator(connection: Connection) {
  const { sequelize, dialect } = connection;
  const words = dialects[dialect];
  /** The connection that holds the lock. */
  let holder: Transaction | undefined;

  /** MySQL commits each of these at once, so a migration that was killed half-way finds some of its work done. */
  async function run(statements: string[]): Promise<void> {
    for (const sql of statements) {
      try {
        await sequelize.query(sql, holder ? { transaction: holder } : {});
      } catch (error) {
        if (dialect === 'sqlite' || !isDone(error)) throw error;
      }
    }
  }
  const umzug = new Umzug({
    migrations: migrations.map(({ name, up, down }) => ({
      name,
      up: () => run(up(words)),
      down: () => run(down(words)),
    })),
    storage: new SequelizeStorage({ sequelize, tableName: 'migrations' }),
    logger: undefined,
  });

  /** Several processes may start at once: one migrates, the others wait and find nothing left to do. */
  async function underLock<T>(work: () => Promise<T>): Promise<T> {
    if (dialect === 'sqlite') return retryingBusy(work);
    // The lock belongs to a connection; the transaction keeps that connection for us.
    return sequelize.transaction(async (transaction) => {
      const restoreLimit = await liftStatementLimit(transaction);
      try {
        const [row] = await sequelize.query<{ got: number }>(
          `SELECT GET_LOCK(${LOCK}, ${LOCK_SECONDS}) AS got`,
          {
            transaction,
            type: QueryTypes.SELECT,
          },
        );
        if (Number(row?.got) !== 1)
          throw new Error(
            'another process has been migrating the database for a minute; try again when it is done',
          );
        holder = transaction;
        return await work();
      } finally {
        holder = undefined;
        await sequelize.query(`SELECT RELEASE_LOCK(${LOCK})`, { transaction });
        await restoreLimit();
      }
    });
  }

  /** The limit is for requests: an index on a big table takes its time, and so may the wait for another's migration. */
  async function liftStatementLimit(transaction: Transaction): Promise<() => Promise<unknown>> {
    const [limit] = await sequelize.query<{ Variable_name: string; Value: string }>(
      `SHOW SESSION VARIABLES WHERE Variable_name IN ('max_statement_time', 'max_execution_time')`,
      { transaction, type: QueryTypes.SELECT },
    );
    if (!limit) return async () => {};
    const set = (value: string) =>
      sequelize.query(`SET SESSION ${limit.Variable_name} = ${value}`, { transaction });
    await set('0');
    return () => set(limit.Value);
  }

  return {
    pending: async (): Promise<string[]> => (await umzug.pending()).map(({ name }) => name),
    up: (): Promise<string[]> => underLock(async () => (await umzug.up()).map(({ name }) => name)),
    down: (): Promise<string[]> => underLock(async () => (await umzug.down()).map(({ name }) => name)),
  };
}

/** A second process that starts on the same SQLite file meets its write lock, or a table that has just been made. */
async function retryingBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries > 40 || !(isContention(error) || /already exists/.test((error as Error).message)))
        throw error;
      await sleep(25 + Math.random() * 50);
    }
  }
}
