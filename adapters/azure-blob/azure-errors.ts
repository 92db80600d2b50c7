import { Readable } from 'node:stream';
import { StorageError } from '../../core/ports/storage.port.js';

/** The fields of the SDK's errors. The SDK is not loaded just to recognise them. */
interface ServiceError extends Error {
  statusCode?: number;
  code?: string;
  details?: { errorCode?: string };
  response?: { headers: { get(name: string): string | undefined } };
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error ? (error as ServiceError).statusCode : undefined;

/** A response without a body (to HEAD) has its code only in a header. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, details, response }: ServiceError = error;
  return details?.errorCode ?? response?.headers.get('x-ms-error-code') ?? code;
}

/** The blob does not exist. A missing container does not count. */
export const isMissingBlob = (error: unknown): boolean =>
  statusOf(error) === 404 && !(codeOf(error) ?? '').startsWith('Container');

/** Another request was first, or the blob is of a type without blocks. */
export const isConflict = (error: unknown): boolean => statusOf(error) === 409;

/** The blob's etag differs from the requested one. */
export const isMismatch = (error: unknown): boolean => statusOf(error) === 412;

/** No response, or a response that asks for a retry. */
export function isAway(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 || status === 429 || status === 408;
  return error instanceof Error && !/^(Credential|Aggregate)?(Authentication|Unavailable)/.test(error.name);
}

/** Only the code: the SDK's errors contain requests and responses with signatures and keys. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unexpected error';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer in time';
  const id = (error as ServiceError).response?.headers.get('x-ms-request-id');
  return [statusOf(error), codeOf(error) ?? error.name, id && `request ${id}`]
    .filter((part) => part !== undefined)
    .join(' ');
}

export function toStorageError(error: unknown, action: string): StorageError {
  if (error instanceof StorageError) return error;
  if (isMismatch(error))
    return new StorageError('OBJECT_CHANGED', 'the object is not the one that was sealed');
  if (isMissingBlob(error)) return new StorageError('OBJECT_MISSING', 'there is no such object');
  return new StorageError('STORAGE_FAILED', `could not ${action} (${reasonOf(error)})`);
}

/** Converts errors to StorageErrors; a reader that stops early closes the connection. */
export function translateStream(body: Readable): Readable {
  const chunks = body.iterator();
  body.on('error', () => undefined); // may occur before the first read, which reports it
  return new Readable({
    read() {
      chunks.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: unknown) => this.destroy(toStorageError(error, 'read the object')),
      );
    },
    destroy(error, done) {
      body.destroy();
      done(error);
    },
  });
}
