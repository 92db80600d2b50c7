import { setTimeout as sleep } from 'node:timers/promises';
import { QueryTypes, type Transaction } from 'sequelize';
import { DatabaseNewer } from '../../../core/ports/store/store-errors.js';
import { type Connection, connectionOf } from '../database/connection.js';
import { isContention, isDone } from '../database/errors.js';
import { liftAnswerDeadline } from '../mysql/answer-deadline.js';
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
import { answerOutcomes } from './016-answer-outcomes.js';
import { visitors } from './017-visitors.js';
import { limitedKeys } from './018-limited-keys.js';
import { statistics } from './019-statistics.js';
import { channels } from './020-channels.js';
import { questions } from './021-questions.js';
import { messageWords } from './022-message-words.js';
import { channelQueues } from './023-channel-queues.js';
import { channelRecipients } from './024-channel-recipients.js';
import { evaluations } from './028-evaluations.js';
import { storedTimes } from './030-stored-times.js';
import { laterRemains } from './031-later-remains.js';
import { sealedWebhookSecrets } from './032-sealed-webhook-secrets.js';
import { boundedConversations } from './033-bounded-conversations.js';
import { type Backfill, dialects, type Migration } from './migration.js';

/** In order. Never change a released migration. A repeated INSERT must insert nothing if a killed run already did. */
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
  answerOutcomes,
  visitors,
  limitedKeys,
  statistics,
  channels,
  questions,
  messageWords,
  channelQueues,
  channelRecipients,
  evaluations,
  storedTimes,
  laterRemains,
  sealedWebhookSecrets,
  boundedConversations,
];

/** The lock is server-wide on MySQL, where several installations may share a server. */
const LOCK = `LEFT(CONCAT('cadre migrations of ', DATABASE()), 64)`;
const LOCK_SECONDS = 60;
/** Rows per statement of a backfill. */
const BATCH = 1000;

export function createMigrator(connection: Connection) {
  const { sequelize, dialect } = connection;
  const words = dialects[dialect];
  /** The connection that holds the lock. */
  let holder: Transaction | undefined;

  const options = () => (holder ? { transaction: holder } : {});

  /** MySQL commits each DDL statement at once, so a killed migration is found half done. */
  async function run(steps: (string | Backfill)[]): Promise<void> {
    for (const step of steps) {
      try {
        if (typeof step === 'string') await sequelize.query(step, options());
        else await backfill(step);
      } catch (error) {
        if (dialect === 'sqlite' || !isDone(error)) throw error;
      }
    }
  }

  async function backfill({ table, key, set }: Backfill): Promise<void> {
    for (let after: unknown[] = []; ; ) {
      const rest = after.length === 0 ? '1 = 1' : `${key} > ?`;
      const [batch] = await sequelize.query<{ last: unknown }>(
        `SELECT MAX(${key}) AS last FROM (SELECT ${key} FROM ${table} WHERE ${rest} ORDER BY ${key} LIMIT ${BATCH}) AS batch`,
        { ...options(), replacements: after, type: QueryTypes.SELECT },
      );
      const last = batch?.last ?? null;
      if (last === null) return;
      await sequelize.query(`UPDATE ${table} SET ${set} WHERE ${rest} AND ${key} <= ?`, {
        ...options(),
        replacements: [...after, last],
        type: QueryTypes.BULKUPDATE,
      });
      after = [last];
    }
  }

  async function executed(): Promise<string[]> {
    if (!(await sequelize.getQueryInterface().tableExists('migrations', options()))) return [];
    const rows = await sequelize.query<{ name: string }>('SELECT name FROM migrations ORDER BY name', {
      ...options(),
      type: QueryTypes.SELECT,
    });
    return rows.map(({ name }) => name);
  }
  async function pending(): Promise<string[]> {
    const names = migrations.map(({ name }) => name);
    const done = await executed();
    const unknown = done.filter((name) => !names.includes(name));
    if (unknown.length > 0) throw new DatabaseNewer(unknown);
    return names.filter((name) => !done.includes(name));
  }
  /** On the connection with the lock: with SQLite, any other connection would wait for it. */
  const note = (sql: string, name: string) => sequelize.query(sql, { ...options(), replacements: [name] });

  /** Several processes may start at once: one migrates, the others wait and find nothing to do. */
  async function underLock<T>(work: () => Promise<T>): Promise<T> {
    if (dialect === 'sqlite') {
      const done = await retryingBusy(() => inOneTransaction(work));
      await connection.onDisk?.();
      return done;
    }
    // The lock belongs to a connection; the transaction reserves that connection.
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
        await makeTable();
        return await work();
      } finally {
        holder = undefined;
        await sequelize.query(`SELECT RELEASE_LOCK(${LOCK})`, { transaction });
        await restoreLimit();
      }
    });
  }

  /** SQLite can roll back DDL: a killed upgrade leaves nothing, and its write lock blocks other processes. */
  const inOneTransaction = <T>(work: () => Promise<T>): Promise<T> =>
    sequelize.transaction(async (transaction) => {
      holder = transaction;
      try {
        await makeTable();
        return await work();
      } finally {
        holder = undefined;
      }
    });

  const makeTable = () =>
    sequelize.query('CREATE TABLE IF NOT EXISTS migrations (name VARCHAR(255) PRIMARY KEY)', options());

  /** The statement timeout is for requests. Building an index, or waiting for another migration, may take longer. */
  async function liftStatementLimit(transaction: Transaction): Promise<() => Promise<unknown>> {
    const restoreDeadline = liftAnswerDeadline(connectionOf(transaction));
    const [limit] = await sequelize.query<{ Variable_name: string; Value: string }>(
      `SHOW SESSION VARIABLES WHERE Variable_name IN ('max_statement_time', 'max_execution_time')`,
      { transaction, type: QueryTypes.SELECT },
    );
    if (!limit) return async () => restoreDeadline();
    const set = (value: string) =>
      sequelize.query(`SET SESSION ${limit.Variable_name} = ${value}`, { transaction });
    await set('0');
    return async () => {
      await set(limit.Value);
      restoreDeadline();
    };
  }

  return {
    pending,
    async up(): Promise<string[]> {
      if ((await retryingBusy(pending)).length === 0) return [];
      return underLock(async () => {
        const names = await pending();
        for (const { name, up } of migrations.filter(({ name }) => names.includes(name))) {
          await naming(name, () => run(up(words)));
          await note('INSERT INTO migrations (name) VALUES (?)', name);
        }
        return names;
      });
    },
    /** Reverts the last migration. */
    down: (): Promise<string[]> =>
      underLock(async () => {
        const names = await executed();
        const last = migrations.findLast(({ name }) => names.includes(name));
        if (last === undefined) return [];
        await naming(last.name, () => run(last.down(words)));
        await note('DELETE FROM migrations WHERE name = ?', last.name);
        return [last.name];
      }),
  };
}

/** Adds the migration's name to an error. */
async function naming(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
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
