import { Readable } from 'node:stream';
import { StorageError } from '../../core/ports/storage.port.js';

/** Fields of the SDK's errors. Declared here, so that recognising an error does not load the SDK. */
interface ServiceError extends Error {
  statusCode?: number;
  code?: string;
  details?: { errorCode?: string };
  response?: { headers: { get(name: string): string | undefined } };
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error ? (error as ServiceError).statusCode : undefined;

/** Returns the service's error code. A response without a body, as to HEAD, has it only in a header. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, details, response }: ServiceError = error;
  return details?.errorCode ?? response?.headers.get('x-ms-error-code') ?? code;
}

/** Returns whether the blob does not exist. A missing container does not count. */
export const isMissingBlob = (error: unknown): boolean =>
  statusOf(error) === 404 && !(codeOf(error) ?? '').startsWith('Container');

/** Returns whether another request came first or the blob's type has no blocks. */
export const isConflict = (error: unknown): boolean => statusOf(error) === 409;

/** Returns whether the blob's etag differs from the requested etag. */
export const isMismatch = (error: unknown): boolean => statusOf(error) === 412;

/** Returns whether there was no response, or a response after which a retry may succeed. */
export function isAway(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 || status === 429 || status === 408;
  return error instanceof Error && !/^(Credential|Aggregate)?(Authentication|Unavailable)/.test(error.name);
}

/**
 * Describes an error by its codes only, because the SDK's errors contain requests and responses with signatures and
 * keys.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unexpected error';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no response in time';
  const id = (error as ServiceError).response?.headers.get('x-ms-request-id');
  return [statusOf(error), codeOf(error) ?? error.name, id && `request ${id}`]
    .filter((part) => part !== undefined)
    .join(' ');
}

export function toStorageError(error: unknown, action: string): StorageError {
  if (error instanceof StorageError) return error;
  if (isMismatch(error))
    return new StorageError('OBJECT_CHANGED', 'the object has changed since it was sealed');
  if (isMissingBlob(error)) return new StorageError('OBJECT_MISSING', 'there is no such object');
  return new StorageError('STORAGE_FAILED', `could not ${action} (${reasonOf(error)})`);
}

/** Returns a stream that converts errors to StorageErrors. Destroying it closes the connection. */
export function translateStream(body: Readable): Readable {
  const chunks = body.iterator();
  body.on('error', () => undefined); // an error may occur before the first read, which then reports it
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
