import { Readable } from 'node:stream';
import type { BlobRequestConditions } from '@azure/storage-blob';
import type { PluginContext, Started } from '../../core/ports/plugin.port.js';
import { checkStoragePath, type Storage, StorageError } from '../../core/ports/storage.port.js';
import type { AzureContainer } from './azure-client.js';
import { isMismatch, isMissingBlob, reasonOf, toStorageError, translateStream } from './azure-errors.js';
import { blockUrl, deleteBlob, sealBlock } from './block-upload.js';

/**
 * Timeout of a call including retries, in milliseconds. The SDK's options limit neither the whole call nor the
 * silence of a server.
 */
const requestMs = 20_000;
const transferMs = 120_000;
const healthMs = 2_500;

/** Stores objects as block blobs of one container. A blob's name is the object's path. */
export function azureStorage(
  { client, signWrite }: AzureContainer,
  context: PluginContext<unknown>,
  ready: (withinMs: number) => Promise<void>,
): Started<Storage> {
  let stopped = false;

  /** Wraps every call: rejects calls after the stop and invalid paths, and converts errors. */
  async function run<T>(action: string, path: string | null, work: () => Promise<T>): Promise<T> {
    if (stopped) throw new StorageError('STORAGE_FAILED', 'the storage is stopped');
    if (path !== null) checkStoragePath(path);
    try {
      return await work();
    } catch (error) {
      throw toStorageError(error, action);
    }
  }
  const blob = (path: string) => client.getBlockBlobClient(path);

  async function download(path: string, conditions: BlobRequestConditions): Promise<Readable> {
    // This timeout ends when the response starts; the reader limits the time of the rest.
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), requestMs);
    try {
      const { readableStreamBody: body } = await blob(path).download(0, undefined, {
        conditions,
        abortSignal: silence.signal,
        maxRetryRequests: 2,
      });
      if (!(body instanceof Readable)) throw new StorageError('STORAGE_FAILED', 'the response has no body');
      return translateStream(body);
    } finally {
      clearTimeout(timer);
    }
  }

  async function openSealed(path: string, etag: string): Promise<Readable> {
    try {
      return await download(path, { ifMatch: quoted(etag) });
    } catch (error) {
      // Some servers report a missing blob as an etag that does not match.
      const absent =
        isMismatch(error) && !(await blob(path).exists({ abortSignal: AbortSignal.timeout(requestMs) }));
      throw absent ? new StorageError('OBJECT_MISSING', 'there is no such object') : error;
    }
  }

  const port: Storage = {
    uploadOrigin: new URL(client.url).origin,
    signUpload: (path, { expiresAt }) =>
      run('sign the upload', path, async () => {
        if (context.role !== 'api')
          throw new StorageError('STORAGE_FAILED', 'only API processes can sign uploads');
        await ready(requestMs);
        // Azure accepts only whole seconds.
        const grant = await signWrite(path, new Date(Math.ceil(expiresAt) * 1000));
        return { uploadUrl: blockUrl(client, path, grant), token: signatureOf(grant) };
      }),
    sealUpload: (path, { maxBytes }) =>
      run('seal the upload', path, () => sealBlock(blob(path), maxBytes, AbortSignal.timeout(requestMs))),
    open: (path, etag) => run('open the object', path, () => openSealed(path, etag)),
    put: (path, bytes) =>
      run('write the object', path, async () => {
        await ready(requestMs);
        const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        await blob(path).upload(body, body.byteLength, { abortSignal: AbortSignal.timeout(transferMs) });
      }),
    get: (path) =>
      run('read the object', path, async () => {
        try {
          const stream = await download(path, {});
          return Buffer.concat(await stream.toArray({ signal: AbortSignal.timeout(transferMs) }));
        } catch (error) {
          if (isMissingBlob(error)) return null;
          throw error;
        }
      }),
    delete: (path) =>
      run('delete the object', path, () => deleteBlob(blob(path), AbortSignal.timeout(requestMs))),
    list: ({ before, after, limit }) =>
      run('list the objects', null, async () => {
        const pages = client
          .listBlobsFlat({ includeUncommitedBlobs: true, abortSignal: AbortSignal.timeout(requestMs) })
          .byPage({ maxPageSize: limit, ...(after === null ? {} : { continuationToken: after }) });
        const { value: page, done } = await pages.next();
        if (done) return { paths: [], next: null };
        const paths = page.segment.blobItems
          .filter(({ properties }) => properties.lastModified.getTime() < before * 1000)
          .map(({ name }) => name);
        return { paths, next: page.continuationToken || null };
      }),
    health: () =>
      run('reach the container', null, async () => {
        try {
          await ready(healthMs);
          await client.getProperties({ abortSignal: AbortSignal.timeout(healthMs) });
          return { ok: true };
        } catch (error) {
          return { ok: false, reason: `the container does not respond (${reasonOf(error)})` };
        }
      }),
  };
  return {
    port,
    async stop() {
      stopped = true;
    },
  };
}

/** Returns the signature in a signed query, as it is encoded there. */
const signatureOf = (grant: string): string => /(?:^|&)sig=([^&]+)/.exec(grant)?.[1] ?? '';

/** Returns the etag as a valid header value, so that an unknown etag means a changed object and not a bad request. */
const quoted = (etag: string): string => `"${etag.replaceAll(/[^\x21\x23-\x7e]/g, '')}"`;
