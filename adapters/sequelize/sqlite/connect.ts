import { Sequelize } from 'sequelize';
import { mapInSlices } from '../../../core/fairness/time-slices.js';
import { type Connection, connectionOf, quiet, transactionOn } from '../database/connection.js';
import { createDriver } from './driver.js';
import { ownFile, sqliteFileOf } from './file.js';
import { answerOf, closeHandle, type Handle, openHandle, select } from './handle.js';
import { createHandles } from './handles.js';
import { openLogWork } from './log-work.js';
import { createWriteAheadLog } from './write-ahead-log.js';

/**
 * Every handle is opened with foreign keys on, so Sequelize need not ask for them in each transaction. Its types do
 * not list the option.
 */
const keysAreOn: object = { foreignKeys: false };

/**
 * Opens the file, and makes it where there is none. Statements run on the thread that asks: answering them takes less
 * time than the way to another thread.
 */
export function connectSqlite(url: string): Connection {
  const file = sqliteFileOf(url);
  ownFile(file);
  const work = openLogWork(file);
  const log = createWriteAheadLog(work);
  const handles = createHandles(file, log);
  const sequelize = new Sequelize({
    ...quiet,
    dialect: 'sqlite',
    dialectModule: createDriver(handles),
    storage: file,
    transactionType: 'IMMEDIATE' as never,
    ...keysAreOn,
  });
  const plain = openHandle(file, log);
  // Where the disk has failed, the log that the last process left may lack pages on it: nothing is written behind them.
  emptyLog(plain);

  return {
    dialect: 'sqlite',
    file,
    sequelize,
    writers: 1,
    read: async (sql, params) => select(plain, sql, params),
    readRow: async (sql, id) => select(plain, sql, [id])[0] ?? null,
    async transaction(work) {
      const handle = handles.take();
      try {
        answerOf(handle, 'BEGIN IMMEDIATE', []);
        const result = await work(transactionOn({ handle }));
        answerOf(handle, 'COMMIT', []);
        return result;
      } catch (error) {
        undo(handle);
        throw error;
      } finally {
        handles.giveBack(handle);
      }
    },
    async within(transaction, statements) {
      const { handle } = connectionOf(transaction) as { handle: Handle };
      // Writing a text of 8 MiB takes 30 ms. The transaction holds the write lock, so no other write can interleave.
      return mapInSlices(statements, ({ sql, params }) => answerOf(handle, sql, params), 'turn');
    },
    onDisk: () => log.onDisk(),
    use: () => null,
    async close() {
      await sequelize.close();
      await log.close();
      await work.close();
      handles.close();
      // The driver has no way to end the statements that we keep, so the last close does not do it, and a copy of the
      // file alone would be empty.
      emptyLog(plain);
      closeHandle(plain);
    },
  };
}

function undo(handle: Handle): void {
  try {
    answerOf(handle, 'ROLLBACK', []);
  } catch {
    // Then its handle is closed, which also undoes it. The error that ended the transaction is the one to report.
  }
}

/** Moves what was committed from the log into the file. */
function emptyLog({ connection }: Handle): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // No space for it, or another process uses the file. The log stays beside the file, and nothing is lost.
  }
}
