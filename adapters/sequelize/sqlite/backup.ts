import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { DatabaseNewer } from '../../../core/ports/store/store-errors.js';
import { migrations } from '../migrations/migrate.js';
import { pendingOf } from '../migrations/pending.js';
import { BACKUP } from '../tables/meta.js';
import { besides, ownFile } from './file.js';

/** No backup was made, or nothing was restored. */
export class BackupRefused extends Error {
  readonly code:
    | 'FILE_EXISTS'
    | 'DATABASE_EXISTS'
    | 'DATABASE_MISSING'
    | 'DATABASE_IN_USE'
    | 'BACKUP_INVALID';
  constructor(code: BackupRefused['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupRefused';
    this.code = code;
  }
}

/**
 * Copies all committed data to a new file while the server runs. Creates the whole file or none. Throws BackupRefused
 * (DATABASE_MISSING, FILE_EXISTS).
 */
export function backUp(file: string, to: string): { bytes: number } {
  if (!existsSync(file)) throw new BackupRefused('DATABASE_MISSING', `There is no database ${file}.`);
  if (existsSync(to)) throw new BackupRefused('FILE_EXISTS', `The file ${to} already exists.`);
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    moveInto(copy(database, file, to), to);
    record(database);
  } finally {
    database.close();
  }
  return { bytes: statSync(to).size };
}

/**
 * Replaces the database by a backup. Throws BackupRefused: BACKUP_INVALID, DATABASE_IN_USE (another process has it
 * open), and, without `force`, DATABASE_EXISTS.
 */
export function restore(file: string, from: string, { force }: { force: boolean }): { bytes: number } {
  const backup = openBackup(from);
  try {
    const release = existsSync(file) ? takeOver(file, force) : () => {};
    try {
      const fresh = copy(backup, from, file);
      // Otherwise the old log would be applied to the new database.
      for (const path of besides(file)) rmSync(path, { force: true });
      moveInto(fresh, file);
    } finally {
      release();
    }
  } finally {
    backup.close();
  }
  return { bytes: statSync(file).size };
}

/** Records the time of the backup for the metrics. Ignores failures, because the backup itself is complete. */
function record(database: DatabaseSyncInstance): void {
  const now = Math.floor(Date.now() / 1000);
  try {
    database.exec(`INSERT OR REPLACE INTO meta (name, value) VALUES ('${BACKUP}', '${now}')`);
  } catch {
    // The database is locked, full or of another version.
  }
}

const PATIENCE_MS = 5000;

/** Writes a compact copy beside `to`, readable only by its owner, and syncs it to disk. */
function copy(database: DatabaseSyncInstance, from: string, to: string): string {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  ownFile(partial);
  try {
    // Let the copy release unused space, so that it can shrink after a restore even if an older version created the
    // original. Skip this if it is already set, because setting it again would begin a transaction.
    if (!canShrink(from)) database.exec('PRAGMA auto_vacuum=INCREMENTAL');
    database.exec(`VACUUM INTO '${partial.replaceAll("'", "''")}'`);
    flush(partial);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  return partial;
}

/** Reads the header of the file. With a statement, the driver would keep the file open. */
function canShrink(file: string): boolean {
  const header = Buffer.alloc(100);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  // Offset 52 holds a page number that is zero unless auto_vacuum is on (https://sqlite.org/fileformat2.html).
  return header.readUInt32BE(52) !== 0;
}

function moveInto(partial: string, file: string): void {
  renameSync(partial, file);
  flush(dirname(file));
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws BACKUP_INVALID unless the file is an intact database of this version or an older one. */
export function openBackup(from: string): DatabaseSyncInstance {
  if (!statSync(from, { throwIfNoEntry: false })?.isFile())
    throw new BackupRefused('BACKUP_INVALID', `The file ${from} does not exist.`);
  try {
    const database = new DatabaseSync(from, { readOnly: true });
    const [damage] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
    if (damage?.quick_check !== 'ok') throw new Error(damage?.quick_check);
    const applied = database.prepare('SELECT name FROM migrations').all() as { name: string }[];
    pendingOf(
      migrations.map(({ name }) => name),
      applied.map(({ name }) => name),
    );
    return database;
  } catch (error) {
    const reason =
      error instanceof DatabaseNewer ? 'it was made by a newer version' : (error as Error).message;
    throw new BackupRefused('BACKUP_INVALID', `${from} cannot be restored: ${reason}.`, { cause: error });
  }
}

/** Locks the database for the restore. Call the returned function to release it. */
function takeOver(file: string, force: boolean): () => void {
  let database: DatabaseSyncInstance | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // Fails unless this is the only connection. Also moves the log into the file.
    database.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (isLocked(error))
      throw new BackupRefused('DATABASE_IN_USE', `The database ${file} is in use.`, { cause: error });
    // The database is damaged: there is nothing to keep.
    database = undefined;
  }
  if (!force) {
    database?.close();
    throw new BackupRefused('DATABASE_EXISTS', `The database ${file} already exists.`);
  }
  return () => database?.close();
}

const SQLITE_BUSY = 5;

const isLocked = (error: unknown): boolean =>
  ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;
