import { Readable } from 'node:stream';
import { openBucket, RefusedError } from './bucket.js';
import { checkPath, keysOf } from './keys.js';
import { seal } from './sealing.js';
import { S3StorageError } from './storage-error.js';

/**
 * @import { PluginContext, Started, Storage } from 'cadre/plugin'
 * @import { S3Options } from './bucket.js'
 */

const HEALTH_MS = 2500;
const START_MS = 10_000;
const READ_MS = 120_000;

/**
 * Rejects if waiting would not help: a missing bucket or wrong keys. `health` reports a service that is down.
 * @param {PluginContext<S3Options, 'storage'>} context
 * @returns {Promise<Started<Storage>>}
 */
export const startStorage = async ({ options, log, now }) => {
  const bucket = openBucket(options);
  const keys = keysOf(options.prefix);
  let stopped = false;

  await bucket.probe(START_MS).catch((/** @type {Error} */ error) => {
    if (error instanceof RefusedError && error.status === 404)
      throw new Error(`There is no bucket ${options.bucket} at ${bucket.origin}. Create it first.`);
    if (error instanceof RefusedError && error.status < 500)
      throw new Error(`${error.message}: check accessKeyId, secretAccessKey, region and what they may do.`);
    log.warn({ reason: error.message }, 'the bucket is not reachable; starting without it');
  });

  /**
   * Checks every call: none after the stop, and only paths of Cadre.
   * @template T
   * @param {string | null} path
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  const run = async (path, work) => {
    if (stopped) throw new S3StorageError('STORAGE_FAILED', 'the storage is stopped');
    if (path !== null) checkPath(path);
    return work();
  };

  return {
    port: {
      uploadOrigin: bucket.origin,
      signUpload: (path, { expiresAt }) =>
        // S3 has a resolution of one second.
        run(path, () => bucket.signPut(keys.arriving(path), Math.ceil(expiresAt), Math.floor(now() / 1000))),
      sealUpload: (path, { maxBytes }) =>
        run(path, () => seal(bucket, { arriving: keys.arriving(path), kept: keys.kept(path) }, maxBytes)),
      open: (path, etag) =>
        run(path, async () => {
          const object = await bucket.read(keys.kept(path));
          if (!object) throw new S3StorageError('OBJECT_MISSING', 'there is no such object');
          if (object.etag !== etag) {
            await object.body?.cancel();
            throw new S3StorageError('OBJECT_CHANGED', 'the object is not the one that was sealed');
          }
          return readable(object.body);
        }),
      put: (path, bytes) => run(path, () => bucket.write(keys.kept(path), bytes)),
      get: (path) =>
        run(path, async () => {
          const object = await bucket.read(keys.kept(path));
          if (!object) return null;
          const signal = AbortSignal.timeout(READ_MS);
          const read = readable(object.body).toArray({ signal });
          return Buffer.concat(
            await read.catch((error) => {
              throw signal.aborted ? new S3StorageError('STORAGE_FAILED', 'the object was too slow') : error;
            }),
          );
        }),
      delete: (path) =>
        run(path, async () => {
          await Promise.all([bucket.remove(keys.arriving(path)), bucket.remove(keys.kept(path))]);
        }),
      list: ({ before, after, limit }) =>
        run(null, async () => {
          const { objects, isLast } = await bucket.list({ prefix: keys.all, after, limit });
          return {
            paths: objects
              .filter(({ modifiedMs }) => modifiedMs < before * 1000)
              .map(({ key }) => keys.pathOf(key)),
            next: isLast ? null : (objects.at(-1)?.key ?? null),
          };
        }),
      health: () =>
        run(null, () =>
          bucket.probe(HEALTH_MS).then(
            () => ({ ok: true }),
            (/** @type {Error} */ error) => ({ ok: false, reason: error.message }),
          ),
        ),
    },
    async stop() {
      stopped = true;
    },
  };
};

/**
 * Converts a body to a Node stream whose errors are STORAGE_FAILED.
 * @param {ReadableStream<Uint8Array> | null} body
 */
const readable = (body) => {
  /** @returns {AsyncGenerator<Buffer>} */
  async function* chunks() {
    try {
      for await (const chunk of body ?? []) yield Buffer.from(chunk);
    } catch {
      throw new S3StorageError('STORAGE_FAILED', 'the object broke off while it was read');
    }
  }
  return Readable.from(chunks(), { objectMode: false });
};
