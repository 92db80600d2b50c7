import { StorageError } from '../../core/ports/storage.port.js';

/** Returns the code of a system error, such as `ENOENT`; undefined for other errors. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT';

/** Returns whether the disk or the disk quota is full. */
export const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');

/** Converts a file system error. The message contains its code but not the path. */
export const toStorageError = (error: unknown, action: string): StorageError =>
  error instanceof StorageError
    ? error
    : new StorageError('STORAGE_FAILED', `could not ${action} (${errorCode(error) ?? 'unexpected error'})`, {
        cause: error,
      });
