import { Sequelize } from 'sequelize';
import { mapInSlices } from '../../../core/fairness/time-slices.js';
import { StoreBusy } from '../../../core/ports/store/store-errors.js';
import { type Connection, connectionOf, quiet, transactionOn } from '../database/connection.js';
import type { Row } from '../database/statement.js';
import { createDriver } from './driver.js';
import { ownFile, sqliteFileOf } from './file.js';
import { closeHandle, type Handle, openHandle, runStatement, select } from './handle.js';
import { createHandles } from './handles.js';
import { openLogWork } from './log-work.js';
import { oneThread } from './one-thread.js';
import type { ReadTask } from './read.thread.js';
import { shrink } from './shrink.js';
import type { VacuumTask } from './vacuum.thread.js';
import { createWriteAheadLog } from './write-ahead-log.js';

/** Timeout of a statement in the thread, including its time in the queue. */
const LONG_READ_MS = 30_000;
/** Includes the start of the thread. */
const VACUUM_MS = 60_000;

function throwStoreBusy(error: Error): never {
  throw error.name === 'AbortError' ? new StoreBusy(error) : error;
}

/**
 * Each handle enables foreign keys, so Sequelize need not do so per transaction. The option is missing from its types.
 */
const keysAreOn: object = { foreignKeys: false };

/** Opens or creates the file. Most statements run on the calling thread, because they are faster than a message to a thread. */
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
  const longReads = oneThread<ReadTask, Row[]>('read.thread', 'readRows', LONG_READ_MS);
  const vacuum = oneThread<VacuumTask, void>('vacuum.thread', 'vacuum', VACUUM_MS);
  const plain = openHandle(file, log);
  // After a disk failure, the log of the last process may lack pages: append nothing to it.
  emptyLog(plain);

  return {
    dialect: 'sqlite',
    file,
    sequelize,
    writers: 1,
    read: async (sql, params) => select(plain, sql, params),
    readLong: (sql, params) => longReads.run({ file, sql, params }).catch(throwStoreBusy),
    readRow: async (sql, id) => select(plain, sql, [id])[0] ?? null,
    async transaction(work) {
      const handle = handles.take();
      try {
        runStatement(handle, 'BEGIN IMMEDIATE', []);
        const result = await work(transactionOn({ handle }));
        runStatement(handle, 'COMMIT', []);
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
      return mapInSlices(statements, ({ sql, params }) => runStatement(handle, sql, params), 'turn');
    },
    onDisk: () => log.onDisk(),
    emptyLog: () => emptyLog(plain),
    shrink: () => shrink(plain, (pages) => vacuum.run({ file, pages })),
    use: () => null,
    async close() {
      await sequelize.close();
      await longReads.close();
      await vacuum.close();
      await log.close();
      await work.close();
      handles.close();
      // The driver cannot finalise our prepared statements, so closing does not checkpoint, and a copy of the file
      // alone would be empty.
      emptyLog(plain);
      closeHandle(plain);
    },
  };
}

function undo(handle: Handle): void {
  try {
    runStatement(handle, 'ROLLBACK', []);
  } catch {
    // Closing the handle rolls back. Report the error that ended the transaction.
  }
}

/** Moves all commits from the log into the file. */
function emptyLog({ connection }: Handle): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The disk is full, or another process uses the file. The log stays beside it, and nothing is lost.
  }
}
