import { mapInSlices } from '../../../core/fairness/time-slices.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { ownFile, sqliteFileOf } from './file.js';
import { answerOf, closeHandle, type Handle, openHandle, select } from './handle.js';
import { openLogWork } from './log-work.js';
import { createWriteAheadLog } from './write-ahead-log.js';

/** Opens or creates the file. Statements run on the calling thread: most are faster than a message to a thread. */
export function connectSqlite(url: string): Connection {
  const file = sqliteFileOf(url);
  ownFile(file);
  const work = openLogWork(file);
  const log = createWriteAheadLog(work);
  const reading = openHandle(file, log);
  // After a disk failure, the log of the last process may lack pages: append nothing to it.
  emptyLog(reading);
  /** For the next transaction. */
  let writing: Handle | null = null;

  const transaction: Connection['transaction'] = async (work) => {
    const handle = writing ?? openHandle(file, log);
    writing = null;
    try {
      answerOf(handle, 'BEGIN IMMEDIATE', []);
      // Writing a text of 8 MiB takes 30 ms. The transaction holds the write lock, so no other write can interleave.
      const result = await work((statements) =>
        mapInSlices(statements, ({ sql, params }) => answerOf(handle, sql, params), 'turn'),
      );
      answerOf(handle, 'COMMIT', []);
      return result;
    } catch (error) {
      rollBack(handle);
      throw error;
    } finally {
      // Closing a handle also ends a transaction that could not be rolled back.
      if (writing || handle.connection.isTransaction) closeHandle(handle);
      else writing = handle;
    }
  };

  return {
    dialect: 'sqlite',
    file,
    writers: 1,
    read: async (sql, params) => select(reading, ...withLists(sql, params)),
    readRow: async (sql, id) => select(reading, sql, [id])[0] ?? null,
    transaction,
    migration: transaction,
    onDisk: () => log.onDisk(),
    use: () => null,
    async close() {
      await log.close();
      await work.close();
      if (writing) closeHandle(writing);
      // The driver cannot finalise our prepared statements, so closing does not checkpoint, and a copy of the file
      // alone would be empty.
      emptyLog(reading);
      closeHandle(reading);
    },
  };
}

function rollBack(handle: Handle): void {
  // It may have failed to begin, because another process held the write lock.
  if (!handle.connection.isTransaction) return;
  try {
    answerOf(handle, 'ROLLBACK', []);
  } catch {
    // Report the error that ended the transaction.
  }
}

/** Moves all commits from the log into the file. */
function emptyLog({ connection }: Handle): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The disk is full, or another process uses the file. The log stays beside the file, and nothing is lost.
  }
}
