import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';

/** The Redis for tests: REDIS_URL, or the default of a local server. */
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

/** Why tests that need Redis are skipped, or false. With REQUIRE_SERVICES=1 they are never skipped. */
export const redisMissing = async (): Promise<string | false> => {
  if (process.env.REQUIRE_SERVICES === '1') return false;
  return withRedis(async () => false as const).catch(() => 'Redis is not reachable (REDIS_URL)');
};

/** A unique prefix. */
export const freshPrefix = (): string => `cadre-test-${randomUUID()}`;

/** Deletes the keys of a queue with this prefix. */
export const removeKeys = (prefix: string): Promise<void> =>
  withRedis(async (redis) => {
    for await (const found of redis.scanIterator({ MATCH: `${prefix}:*`, COUNT: 1000 }))
      if (found.length > 0) await redis.del(found);
  });

/** Number of entries in both streams, and of tasks held by workers, including dead ones. */
export const seenInRedis = (prefix: string): Promise<{ tasks: number; events: number; held: number }> =>
  withRedis(async (redis) => ({
    tasks: await redis.xLen(`${prefix}:tasks`),
    events: await redis.xLen(`${prefix}:events`),
    held: (await redis.xPending(`${prefix}:tasks`, 'workers')).pending,
  }));
