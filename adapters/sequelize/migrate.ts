import { setTimeout as sleep } from 'node:timers/promises';
import { QueryTypes } from 'sequelize';
import { SequelizeStorage, Umzug } from 'umzug';
import type { Connection } from './connect.js';
import { isContention } from './errors.js';
import { initial } from './migrations/001-initial.js';
import { dialects } from './migrations/migration.js';

/** In order; a migration that has been released is never changed. */
const migrations = [initial];

const LOCK = 'cadre_migrations';
const LOCK_SECONDS = 60;

export function createMigrator(connection: Connection) {
  const { sequelize, dialect } = connection;
  const words = dialects[dialect];
  const run = async (statements: string[]) => {
    for (const sql of statements) await sequelize.query(sql);
  };
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
      const [row] = await sequelize.query<{ got: number }>('SELECT GET_LOCK(?, ?) AS got', {
        replacements: [LOCK, LOCK_SECONDS],
        transaction,
        type: QueryTypes.SELECT,
      });
      if (Number(row?.got) !== 1)
        throw new Error(
          'another process has been migrating the database for a minute; try again when it is done',
        );
      try {
        return await work();
      } finally {
        await sequelize.query('SELECT RELEASE_LOCK(?)', { replacements: [LOCK], transaction });
      }
    });
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
