import { statSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { logOf } from './file.js';

const LARGE_BYTES = 16 * 1024 * 1024;
const MOST_BYTES = 4 * LARGE_BYTES;
const PATIENCE_MS = 1000;
/** Minimum interval between checkpoints that block writers. */
const RESTART_MS = 1000;

let restartedAt = 0;

/**
 * Moves the log into the database file, concurrently with readers and writers. Under constant writes it never reaches
 * the end, and the log would only grow. So if the log is large, it blocks writers at most once a second for the last
 * pages: they get SQLITE_BUSY and retry. The next writer then reuses the log's disk space, because a log that allocates
 * space is slower to sync. The log is truncated only if it is far too large.
 */
export function checkpoint(file: string): void {
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    // Not prepared: the files would stay open until the statement is garbage collected, which takes long here.
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    const { size } = statSync(logOf(file));
    if (size > MOST_BYTES) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    else if (size > LARGE_BYTES && performance.now() - restartedAt > RESTART_MS) restart(database);
  } finally {
    database.close();
  }
}

function restart(database: DatabaseSyncInstance): void {
  database.exec('PRAGMA wal_checkpoint(RESTART)');
  restartedAt = performance.now();
}
