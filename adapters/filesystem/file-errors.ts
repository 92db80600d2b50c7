import { StorageError } from '../../core/ports/storage.port.js';

/** The `code` of a Node system error (`ENOENT`), or undefined. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT';

/** The disk or the quota is full. */
export const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');

/** Reports a file system error by its code only, without the path. */
export const toStorageError = (error: unknown, action: string): StorageError =>
  error instanceof StorageError
    ? error
    : new StorageError('STORAGE_FAILED', `could not ${action} (${errorCode(error) ?? 'unexpected error'})`, {
        cause: error,
      });
