import { setTimeout as sleep } from 'node:timers/promises';
import { QueryTypes, type Transaction } from 'sequelize';
import { type Connection, connectionOf } from '../database/connection.js';
import { isContention, isDone } from '../database/errors.js';
import { liftResponseDeadline } from '../mysql/response-deadline.js';
import { baseline } from './001-baseline.js';
import { people } from './003-people.js';
import { twoFactor } from './004-two-factor.js';
import { mail } from './005-mail.js';
import { audit } from './006-audit.js';
import { identities } from './007-identities.js';
import { versions } from './008-versions.js';
import { enteredWorkspaces } from './009-entered-workspaces.js';
import { dailyMails } from './010-daily-mails.js';
import { quotaAlerts } from './010-quota-alerts.js';
import { handover, withoutPauses } from './011-handover.js';
import { contacts } from './012-contacts.js';
import { erasures } from './012-erasures.js';
import { schedule } from './013-schedule.js';
import { taskProgress } from './015-task-progress.js';
import { updatedDocuments } from './016-updated-documents.js';
import { failures } from './017-failures.js';
import { drafts } from './018-drafts.js';
import { waitingVisitors } from './019-waiting-visitors.js';
import { sites } from './020-sites.js';
import { requests } from './022-requests.js';
import { handoverMails } from './023-handover-mails.js';
import { pageChanges } from './024-page-changes.js';
import { pictures } from './025-pictures.js';
import { copies } from './026-copies.js';
import { providersOfPeople } from './027-providers-of-people.js';
import { inboxOfAgents } from './029-inbox-of-agents.js';
import { timesOfRequests } from './030-times-of-requests.js';
import { originsOfContacts } from './032-origins-of-contacts.js';
import { robotsOfReadings } from './033-robots-of-readings.js';
import { dialects, type Migration } from './migration.js';
import { pendingOf, singleSteps } from './pending.js';

/** In order. Never change a released migration. A repeated INSERT must insert nothing if a killed run already did. */
export const migrations: Migration[] = [
  baseline,
  people,
  twoFactor,
  mail,
  audit,
  identities,
  versions,
  enteredWorkspaces,
  dailyMails,
  quotaAlerts,
  handover,
  withoutPauses,
  contacts,
  erasures,
  schedule,
  taskProgress,
  updatedDocuments,
  failures,
  drafts,
  waitingVisitors,
  sites,
  requests,
  handoverMails,
  pageChanges,
  pictures,
  copies,
  providersOfPeople,
  inboxOfAgents,
  timesOfRequests,
  originsOfContacts,
  robotsOfReadings,
];

/** The lock is server-wide on MySQL, where several installations may share a server. */
const LOCK = `LEFT(CONCAT('cadre migrations of ', DATABASE()), 64)`;
const LOCK_SECONDS = 60;

export function createMigrator(connection: Connection, steps = migrations) {
  const { sequelize, dialect } = connection;
  const words = dialects[dialect];
  /** The connection that holds the lock. */
  let holder: Transaction | undefined;

  const options = () => (holder ? { transaction: holder } : {});

  /** MySQL commits each DDL statement at once, so a killed migration is found half done. */
  async function run(statements: string[]): Promise<void> {
    for (const sql of statements) {
      try {
        await sequelize.query(sql, options());
      } catch (error) {
        if (dialect === 'sqlite' || !isDone(error)) throw error;
      }
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
  const pending = async (): Promise<string[]> =>
    pendingOf(
      steps.map(({ name }) => name),
      await executed(),
    );

  /** Removes the records of the single steps, which the baseline replaces. Returns whether there were any. */
  const takeOver = async (): Promise<boolean> =>
    (await sequelize.query('DELETE FROM migrations WHERE name IN (:singleSteps)', {
      ...options(),
      replacements: { singleSteps },
      type: QueryTypes.BULKDELETE,
    })) > 0;

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
    const restoreDeadline = liftResponseDeadline(connectionOf(transaction));
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
        for (const { name, up } of steps.filter(({ name }) => names.includes(name))) {
          if (name !== baseline.name || !(await takeOver())) await naming(name, () => run(up(words)));
          await sequelize.query('INSERT INTO migrations (name) VALUES (?)', {
            ...options(),
            replacements: [name],
          });
        }
        return names;
      });
    },
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
