import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';

/** The Redis that tests use: REDIS_URL, or the default of a local one. */
export const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';

const connect = () =>
  createClient({ url: redisUrl, socket: { connectTimeout: 3_000, reconnectStrategy: false } });

async function withRedis<T>(work: (redis: ReturnType<typeof connect>) => Promise<T>): Promise<T> {
  const redis = connect().on('error', () => undefined);
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.destroy();
  }
}

/**
 * Why tests that need Redis are skipped; `false` where it can be reached. With REQUIRE_SERVICES=1 they are never skipped,
 * and so fail where it cannot.
 */
export const redisMissing = async (): Promise<string | false> => {
  if (process.env.REQUIRE_SERVICES === '1') return false;
  return withRedis(async () => false as const).catch(() => 'Redis is not reachable (REDIS_URL)');
};

/** A prefix that nobody else uses. */
export const freshPrefix = (): string => `cadre-test-${randomUUID()}`;

/** Removes what a queue with this prefix left behind. */
export const removeKeys = (prefix: string): Promise<void> =>
  withRedis(async (redis) => {
    for await (const found of redis.scanIterator({ MATCH: `${prefix}:*`, COUNT: 1000 }))
      if (found.length > 0) await redis.del(found);
  });

/** Entries in both streams, and tasks that a worker holds, or held when it died. */
export const seenInRedis = (prefix: string): Promise<{ tasks: number; events: number; held: number }> =>
  withRedis(async (redis) => ({
    tasks: await redis.xLen(`${prefix}:tasks`),
    events: await redis.xLen(`${prefix}:events`),
    held: (await redis.xPending(`${prefix}:tasks`, 'workers')).pending,
  }));
