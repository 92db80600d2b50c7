import { createHash } from 'node:crypto';
import { StorageError } from '../../core/ports/storage.port.js';

const wellFormed = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const maxLength = 1024;

/** Throws STORAGE_FAILED unless `path` is one that core makes: no empty, `.` or `..` segment, nothing but `[A-Za-z0-9._/-]`. */
export function checkPath(path: string): void {
  const clean = path.length <= maxLength && wellFormed.test(path);
  if (!clean || path.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw new StorageError('STORAGE_FAILED', 'not a storage path');
  }
}

/**
 * File name of an object: a digest, because then no path can lead out of the folder, be too long for the file system,
 * be folder and file at once (`a` and `a/b`), or meet another one where case does not count.
 */
export const fileName = (path: string): string => createHash('sha256').update(path).digest('hex');
