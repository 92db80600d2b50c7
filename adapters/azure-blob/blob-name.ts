import { StorageError } from '../../core/ports/storage.port.js';

const wellFormed = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const maxLength = 1024;

/**
 * Throws STORAGE_FAILED unless `path` can be a blob name as it is. URLs are normalised on their way, so that a name with
 * `.` or `..` segments would arrive as another blob's.
 */
export function checkPath(path: string): void {
  const clean = path.length <= maxLength && wellFormed.test(path);
  if (!clean || path.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw new StorageError('STORAGE_FAILED', 'not a storage path');
  }
}
