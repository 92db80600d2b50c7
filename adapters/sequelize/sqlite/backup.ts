import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { migrations } from '../migrations/migrate.js';
import { besides, ownFile } from './file.js';

/** Why there is no backup, or why nothing was restored; nothing was changed. */
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
 * Writes all that is committed now into a new file, while the server runs. The file is there as a whole or
 * not at all. Throws BackupRefused (DATABASE_MISSING, FILE_EXISTS).
 */
export function backUp(file: string, to: string): { bytes: number } {
  if (!existsSync(file)) throw new BackupRefused('DATABASE_MISSING', `There is no database ${file}.`);
  if (existsSync(to)) throw new BackupRefused('FILE_EXISTS', `There is a file ${to} already.`);
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    moveInto(copy(database, to), to);
  } finally {
    database.close();
  }
  return { bytes: statSync(to).size };
}

/**
 * Puts a backup in the place of the database. Throws BackupRefused: BACKUP_INVALID, DATABASE_IN_USE (a server
 * or a command has it open), and, unless `force`, DATABASE_EXISTS.
 */
export function restore(file: string, from: string, { force }: { force: boolean }): { bytes: number } {
  const backup = openBackup(from);
  try {
    const release = existsSync(file) ? takeOver(file, force) : () => {};
    try {
      const fresh = copy(backup, file);
      // Commits of the old database would be read into the new one.
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

const PATIENCE_MS = 5000;

/** A compact copy beside `to`, for the owner only, and on disk. */
function copy(database: DatabaseSyncInstance, to: string): string {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  ownFile(partial);
  try {
    database.exec(`VACUUM INTO '${partial.replaceAll("'", "''")}'`);
    flush(partial);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  return partial;
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

/** Throws BACKUP_INVALID for what is no whole database of this version or an older one. */
function openBackup(from: string): DatabaseSyncInstance {
  if (!existsSync(from)) throw new BackupRefused('BACKUP_INVALID', `There is no file ${from}.`);
  try {
    const database = new DatabaseSync(from, { readOnly: true });
    const [damage] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
    if (damage?.quick_check !== 'ok') throw new Error(damage?.quick_check);
    const known = new Set(migrations.map(({ name }) => name));
    const applied = database.prepare('SELECT name FROM migrations').all() as { name: string }[];
    const newer = applied.filter(({ name }) => !known.has(name));
    if (newer.length > 0) throw new Error('it was made by a newer version');
    return database;
  } catch (error) {
    const reason = (error as Error).message;
    throw new BackupRefused('BACKUP_INVALID', `${from} cannot be restored: ${reason}.`, { cause: error });
  }
}

/** Keeps everybody else out of the database that is to be replaced, until the answer is called. */
function takeOver(file: string, force: boolean): () => void {
  let database: DatabaseSyncInstance | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // Works only for the one who is alone with the file; what was beside it is in it, then.
    database.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (isLocked(error))
      throw new BackupRefused('DATABASE_IN_USE', `The database ${file} is in use.`, { cause: error });
    // Damaged: there is nothing to keep.
    database = undefined;
  }
  if (!force) {
    database?.close();
    throw new BackupRefused('DATABASE_EXISTS', `There is a database ${file} already.`);
  }
  return () => database?.close();
}

const SQLITE_BUSY = 5;

const isLocked = (error: unknown): boolean =>
  ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;
