import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseNewer } from '../../../core/ports/store/store-errors.js';
import type { Connection, Row, Send } from '../database/connection.js';
import { isContention, isDone } from '../database/errors.js';
import type { Answer } from '../database/statement.js';
import { initial } from './001-initial.js';
import { workInBatches } from './002-work-in-batches.js';
import { openUploadsAndSharedFetches } from './003-open-uploads-and-shared-fetches.js';
import { retrieval } from './004-retrieval.js';
import { conversations } from './005-conversations.js';
import { jobsByType } from './006-jobs-by-type.js';
import { cancelAndRetry } from './007-cancel-and-retry.js';
import { keptAnswers } from './008-kept-answers.js';
import { sitemaps } from './009-sitemaps.js';
import { documentVectors } from './010-document-vectors.js';
import { webhooks } from './011-webhooks.js';
import { endedJobs } from './012-ended-jobs.js';
import { tracesOfJobs } from './013-traces-of-jobs.js';
import { documentsByContent } from './014-documents-by-content.js';
import { conversationBytes } from './015-conversation-bytes.js';
import { type Backfill, dialects, type Migration } from './migration.js';

/** In order. Never change a released migration. */
export const migrations: Migration[] = [
  initial,
  workInBatches,
  openUploadsAndSharedFetches,
  retrieval,
  conversations,
  jobsByType,
  cancelAndRetry,
  keptAnswers,
  sitemaps,
  documentVectors,
  webhooks,
  endedJobs,
  tracesOfJobs,
  documentsByContent,
  conversationBytes,
];

/** The lock is server-wide on MySQL, where several installations may share a server. */
const LOCK = `LEFT(CONCAT('cadre migrations of ', DATABASE()), 64)`;
const LOCK_SECONDS = 60;
/** Rows per statement of a backfill. */
const BATCH = 1000;

const tableExists = {
  sqlite: `SELECT name FROM sqlite_master WHERE name = 'migrations'`,
  mysql: `SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'migrations'`,
};

type Select = (sql: string, params: unknown[]) => Promise<Row[]>;
type Execute = (sql: string, params?: unknown[]) => Promise<Answer>;

/** Applies and undoes migrations. A killed one is completed by the next process. */
export function createMigrator({ dialect, read, migration, onDisk }: Connection) {
  async function applied(select: Select): Promise<string[]> {
    if ((await select(tableExists[dialect], [])).length === 0) return [];
    const rows = await select('SELECT name FROM migrations ORDER BY name', []);
    return rows.map((row) => row.name as string);
  }

  async function pending(select: Select): Promise<Migration[]> {
    const names = await applied(select);
    const unknown = names.filter((name) => !migrations.some((known) => known.name === name));
    if (unknown.length > 0) throw new DatabaseNewer(unknown);
    return migrations.filter(({ name }) => !names.includes(name));
  }

  /** MySQL commits each DDL statement at once, so a killed migration is found half done. */
  async function run(execute: Execute, steps: (string | Backfill)[]): Promise<void> {
    for (const step of steps) {
      try {
        if (typeof step === 'string') await execute(step);
        else await backfill(execute, step);
      } catch (error) {
        if (dialect === 'sqlite' || !isDone(error)) throw error;
      }
    }
  }

  /**
   * Several processes may start at once: one migrates, the others wait and find nothing to do. SQLite's write lock is
   * enough, and it can roll back DDL.
   */
  async function locked<T>(work: (execute: Execute, select: Select) => Promise<T>): Promise<T> {
    const done = await retryingBusy(() =>
      migration(async (send: Send) => {
        const execute: Execute = async (sql, params = []) => {
          const [answer] = await send([{ sql, params, prepared: false }]);
          return answer as Answer;
        };
        const select: Select = async (sql, params) => (await execute(sql, params)).rows;
        if (dialect === 'mysql') await lock(select);
        await execute('CREATE TABLE IF NOT EXISTS migrations (name VARCHAR(255) PRIMARY KEY)');
        return work(execute, select);
      }),
    );
    await onDisk?.();
    return done;
  }

  return {
    pending: async (): Promise<string[]> => (await pending(read)).map(({ name }) => name),
    async up(): Promise<string[]> {
      if ((await retryingBusy(() => pending(read))).length === 0) return [];
      return locked(async (execute, select) => {
        const missing = await pending(select);
        for (const { name, up } of missing) {
          await run(execute, up(dialects[dialect]));
          await execute('INSERT INTO migrations (name) VALUES (?)', [name]);
        }
        return missing.map(({ name }) => name);
      });
    },
    /** Undoes the last migration. */
    down: (): Promise<string[]> =>
      locked(async (execute, select) => {
        const names = await applied(select);
        const last = migrations.findLast(({ name }) => names.includes(name));
        if (last === undefined) return [];
        await run(execute, last.down(dialects[dialect]));
        await execute('DELETE FROM migrations WHERE name = ?', [last.name]);
        return [last.name];
      }),
  };
}

async function backfill(execute: Execute, { table, key, set }: Backfill): Promise<void> {
  for (let after: unknown[] = []; ; ) {
    const rest = after.length === 0 ? '1 = 1' : `${key} > ?`;
    const { rows } = await execute(
      `SELECT MAX(${key}) AS last FROM (SELECT ${key} FROM ${table} WHERE ${rest} ORDER BY ${key} LIMIT ${BATCH}) AS batch`,
      after,
    );
    const last = rows[0]?.last ?? null;
    if (last === null) return;
    await execute(`UPDATE ${table} SET ${set} WHERE ${rest} AND ${key} <= ?`, [...after, last]);
    after = [last];
  }
}

/** Takes the lock of this connection. */
async function lock(select: Select): Promise<void> {
  const [row] = await select(`SELECT GET_LOCK(${LOCK}, ${LOCK_SECONDS}) AS got`, []);
  if (Number(row?.got) !== 1)
    throw new Error(
      'another process has been migrating the database for a minute; try again when it is done',
    );
}

/** Two processes that start on the same SQLite file contend for its write lock. */
async function retryingBusy<T>(work: () => Promise<T>): Promise<T> {
  const end = Date.now() + LOCK_SECONDS * 1000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end || !isContention(error)) throw error;
      await sleep(25 + Math.random() * 50);
    }
  }
}
