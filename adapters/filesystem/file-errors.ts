import { StorageError } from '../../core/ports/storage.port.js';

/** The `code` of a Node system error (`ENOENT`), or undefined. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT';

/** The disk, or the share of it that we may use, has no room left. */
export const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');

/** What callers may see of a file system error: its code, and no path of this machine. */
export const toStorageError = (error: unknown, action: string): StorageError =>
  error instanceof StorageError
    ? error
    : new StorageError('STORAGE_FAILED', `could not ${action} (${errorCode(error) ?? 'unexpected error'})`, {
        cause: error,
      });
