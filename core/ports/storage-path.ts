import { StorageError } from './storage.port.js';

const wellFormed = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const MAX_LENGTH = 1024;

/**
 * Throws STORAGE_FAILED unless `path` is one that core makes: no empty, `.` or `..` segment, nothing but
 * `[A-Za-z0-9._/-]`. A path that a URL or a file system changes on the way would name somebody else's object.
 */
export function checkStoragePath(path: string): void {
  const clean = path.length <= MAX_LENGTH && wellFormed.test(path);
  if (!clean || path.split('/').some((segment) => segment === '.' || segment === '..'))
    throw new StorageError('STORAGE_FAILED', 'not a storage path');
}
