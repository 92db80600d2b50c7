import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../filesystem/make-folder.js';

/** The file of a `sqlite:` URL. */
export const sqliteFileOf = (url: string): string =>
  resolve(url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));

/** Commits that are not in the file yet. */
export const logOf = (file: string): string => `${file}-wal`;

/** What SQLite keeps beside a database: its log, and an index of that. */
export const besides = (file: string): string[] => [logOf(file), `${file}-shm`];

const OWNER_ONLY = 0o600;

/**
 * Makes the file, and the folder around it, for the owner only: they hold the secret that signs upload URLs.
 * A file that others may read is closed to them; an existing folder stays as it is. SQLite gives the files
 * beside it the same mode.
 */
export function ownFile(file: string): void {
  makeFolder(dirname(file), 0o700);
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  for (const path of [file, ...besides(file)].filter((each) => existsSync(each))) {
    const { mode, uid } = statSync(path);
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(path, OWNER_ONLY);
  }
}
