import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
// @ts-expect-error: it has no types
import S3rver from '@20minutes/s3rver';

/** @import { S3Options } from '../src/bucket.js' */

const {
  S3_ENDPOINT: endpoint,
  S3_BUCKET = 'cadre',
  S3_ACCESS_KEY_ID = '',
  S3_SECRET_ACCESS_KEY = '',
} = process.env;

/**
 * Returns the server of S3_ENDPOINT, else starts an emulator with signature checks.
 * @returns {Promise<{ options: () => S3Options, close: () => Promise<void> }>} Each call of `options` returns a new
 * prefix.
 */
export const openServer = async () => {
  const common = { region: process.env.S3_REGION ?? 'us-east-1', bucket: S3_BUCKET };
  const prefix = () => `test-${randomUUID()}`;
  if (endpoint !== undefined) {
    const given = {
      ...common,
      endpoint,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    };
    return { options: () => ({ ...given, prefix: prefix() }), close: async () => undefined };
  }
  const directory = await mkdtemp(join(tmpdir(), 'cadre-s3-'));
  const server = new S3rver({
    directory,
    address: '127.0.0.1',
    port: 0,
    silent: true,
    configureBuckets: [{ name: S3_BUCKET }],
  });
  mend(server.store);
  const { port } = await server.run();
  const own = {
    ...common,
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  };
  return {
    options: () => ({ ...own, prefix: prefix() }),
    close: async () => {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/**
 * Fixes the emulator where it differs from S3: objects appear only when complete, the last write wins, an aborted one
 * leaves nothing, and keys are listed in order.
 * @param {EmulatorStore} store
 */
const mend = (store) => {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  for (const name of /** @type {const} */ (['putObject', 'copyObject', 'deleteObject'])) {
    const change = store[name].bind(store);
    store[name] = async (...args) => {
      const [object] = args;
      if (typeof object !== 'string') object.content = Readable.from([await buffer(object.content)]);
      const changed = last.then(() => change(...args));
      last = changed.catch(() => undefined);
      return changed;
    };
  }
  const list = store.listObjects.bind(store);
  store.listObjects = async (bucket, { startAfter = '', maxKeys = 1000, ...rest }) => {
    const { objects, ...more } = await list(bucket, rest);
    const sorted = objects.filter(({ key }) => key > startAfter).sort((a, b) => (a.key < b.key ? -1 : 1));
    return { ...more, objects: sorted.slice(0, maxKeys), isTruncated: sorted.length > maxKeys };
  };
};

/** @typedef {(object: string | { content: Readable }, ...more: unknown[]) => Promise<unknown>} Change */
/**
 * @typedef {object} EmulatorStore
 * @property {Change} putObject
 * @property {Change} copyObject
 * @property {Change} deleteObject
 * @property {(bucket: string, options: { startAfter?: string, maxKeys?: number }) => Promise<{ objects: { key: string }[] }>} listObjects
 */
