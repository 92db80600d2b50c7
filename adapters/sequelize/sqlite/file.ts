import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../filesystem/make-folder.js';

export const sqliteFileOf = (url: string): string =>
  resolve(url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));

/** Returns the path of the log, which holds commits that are not in the file yet. */
export const logOf = (file: string): string => `${file}-wal`;

/** Returns the paths of the files beside a database: its log and the log's index. */
export const besides = (file: string): string[] => [logOf(file), `${file}-shm`];

const OWNER_ONLY = 0o600;

/**
 * Creates the file and its folder, accessible only to the owner: they hold the secret that signs upload URLs. Restricts
 * an existing file; leaves an existing folder unchanged. SQLite gives the files beside it the same mode.
 */
export function ownFile(file: string): void {
  makeFolder(dirname(file), 0o700);
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  for (const path of [file, ...besides(file)].filter((each) => existsSync(each))) {
    const { mode, uid } = statSync(path);
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(path, OWNER_ONLY);
  }
}
