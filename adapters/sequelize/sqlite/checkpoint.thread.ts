import { statSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { logOf } from './file.js';

const MOST_BYTES = 64 * 1024 * 1024;
const PATIENCE_MS = 1000;

/**
 * Moves the log of this database into its file, beside readers and writers; the next writer then begins the log
 * anew. When writers are so fast that the log never comes to its end, and it has grown large, they are kept out
 * for a moment: they get SQLITE_BUSY, and try again.
 */
export function checkpoint(file: string): void {
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    // Nothing is prepared: the files would stay open until the statement is collected as garbage, and in this thread
    // that takes long.
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    // A log that begins anew keeps its size; this takes it away.
    if (statSync(logOf(file)).size > MOST_BYTES) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}
