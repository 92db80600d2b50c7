import { DatabaseSync } from '@photostructure/sqlite';

/** 64 MB. */
const MOST_PAGES = 16_384;
const PATIENCE_MS = 1000;

/**
 * Moves the log of this database into its file, beside readers and writers; the next writer then begins the log
 * anew. When writers are so fast that the log never comes to its end, and it has grown large, they are kept out
 * for a moment: they get SQLITE_BUSY, and try again.
 */
export function checkpoint(file: string): void {
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    const { log } = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() as { log: number };
    if (log > MOST_PAGES) database.exec('PRAGMA wal_checkpoint(RESTART)');
  } finally {
    database.close();
  }
}
