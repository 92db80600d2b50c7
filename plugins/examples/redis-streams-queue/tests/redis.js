import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';

/** Test server. */
export const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';

const connect = () => createClient({ url, socket: { connectTimeout: 3000, reconnectStrategy: false } });

/**
 * Runs commands on a new connection.
 * @template T
 * @param {(client: ReturnType<typeof connect>) => Promise<T>} work
 */
export const withRedis = async (work) => {
  const client = connect().on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
};

/**
 * Returns why tests are skipped; false if Redis can be reached, or with REQUIRE_SERVICES=1, so that they fail
 * instead.
 */
export const redisMissing = async () => {
  if (process.env.REQUIRE_SERVICES === '1') return false;
  return withRedis(async () => false).catch(() => 'Redis is not reachable (REDIS_URL)');
};

/** Options with a unique prefix. */
export const freshOptions = () => ({
  url,
  prefix: `cadre-test-${randomUUID()}`,
  capacity: 1000,
  leaseMs: 1500,
});

/** @param {string} prefix */
export const removeKeys = (prefix) =>
  withRedis(async (client) => {
    for await (const found of client.scanIterator({ MATCH: `${prefix}:*`, COUNT: 1000 }))
      if (found.length > 0) await client.del(found);
  });

/** @param {{ options: object, slots: number, maxDeliveries: number }} spec */
export const launchWorker = (spec) =>
  fork(new URL('worker.js', import.meta.url), { env: { ...process.env, WORKER: JSON.stringify(spec) } });
