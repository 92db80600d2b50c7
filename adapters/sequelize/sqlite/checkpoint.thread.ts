import { statSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { logOf } from './file.js';

const LARGE_BYTES = 16 * 1024 * 1024;
const MOST_BYTES = 4 * LARGE_BYTES;
const PATIENCE_MS = 1000;
/** Writers are kept out no more often. */
const RESTART_MS = 1000;

let restartedAt = 0;

/**
 * Moves the log of this database into its file, beside readers and writers. While they go on, the log never comes to
 * its end, and would only grow. So when it has grown large, they are kept out once a second while the last pages are
 * moved: they get SQLITE_BUSY, and try again. The next writer then begins the log anew, in the space that it has on
 * the disk: a log that takes more space is slower to sync. It is cut off only where it has too much of it.
 */
export function checkpoint(file: string): void {
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    // Nothing is prepared: the files would stay open until the statement is collected as garbage, and in this thread
    // that takes long.
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
