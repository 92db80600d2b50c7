import { DatabaseSync } from '@photostructure/sqlite';

export interface VacuumTask {
  file: string;
  pages: number;
}

const PATIENCE_MS = 1000;

/** Returns free pages to the file system. Writers that get SQLITE_BUSY from it retry. */
export function vacuum({ file, pages }: VacuumTask): void {
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    database.exec(`PRAGMA incremental_vacuum(${pages}); PRAGMA wal_checkpoint(PASSIVE)`);
  } finally {
    database.close();
  }
}
