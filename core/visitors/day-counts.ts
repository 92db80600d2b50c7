import { LRUCache } from 'lru-cache';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Visitors } from '../ports/store/conversations/visitors.js';
import { quotaNear } from '../webhooks/quota-near.js';
import type { VisitorAllowance } from './allowance.js';

/**
 * Counts the messages of visitors and their stored bytes, by workspace. Counts are at most a second old. Bytes far below
 * the limit may be 15 s old, because they cost more to read.
 */
export interface DayCounts {
  /** Returns whether the workspace has used up its visitor messages of the day, or its visitor storage. */
  isUsedUp(workspaceId: string, today: VisitorAllowance['today']): Promise<boolean>;
  /** Announces that the workspace is near its limit, once a day. Call it after each message. */
  counted(workspaceId: string, today: VisitorAllowance['today']): void;
}

interface DayCountsOptions {
  visitors: Pick<Visitors, 'messagesOn' | 'storedBytes' | 'announceOnce'>;
  clock: Clock;
  log: Log;
}

const MAX_CACHED = 10_000;
const TTL_MS = 1000;
const BYTES_TTL_MS = 15_000;
/** Distance from the limit at which bytes are read again after TTL_MS: more than is stored in BYTES_TTL_MS. */
const NEAR_BYTES = 4 * 1_048_576;

export function createDayCounts({ visitors, clock, log }: DayCountsOptions): DayCounts {
  const counts = new LRUCache<string, { messages: number }, { workspaceId: string; day: string }>({
    max: MAX_CACHED,
    ttl: TTL_MS,
    fetchMethod: async (_key, _stale, { context: { workspaceId, day } }) => ({
      messages: await visitors.messagesOn(workspaceId, day),
    }),
  });
  const stored = new LRUCache<string, { bytes: number }>({
    max: MAX_CACHED,
    ttl: BYTES_TTL_MS,
    fetchMethod: async (workspaceId) => ({ bytes: await visitors.storedBytes(workspaceId) }),
  });
  const announced = new LRUCache<string, true>({ max: MAX_CACHED });
  const keyOf = (workspaceId: string, day: string): string => `${workspaceId} ${day}`;

  function announceIfNear(
    allowance: 'visitorMessages' | 'visitorStorageBytes',
    { workspaceId, day, used, limit }: { workspaceId: string; day: string; used: number; limit: number },
  ): void {
    // Identifies the announcement in the store, in at most 16 characters.
    const mark = allowance === 'visitorMessages' ? day : `${day} bytes`;
    const key = keyOf(workspaceId, mark);
    const event = quotaNear(allowance, { before: 0, used, limit }, seconds(clock.now()));
    if (event === null || announced.has(key)) return;
    announced.set(key, true);
    visitors.announceOnce(workspaceId, mark, event).catch((error: unknown) => {
      announced.delete(key);
      log.warn({ err: error, workspaceId }, 'a webhook event could not be stored; the next message retries');
    });
  }

  async function bytesOf(workspaceId: string, limit: number): Promise<number> {
    const isOld = stored.getRemainingTTL(workspaceId) < BYTES_TTL_MS - TTL_MS;
    const forceRefresh = isOld && limit - (stored.peek(workspaceId)?.bytes ?? 0) < NEAR_BYTES;
    return (await stored.fetch(workspaceId, { forceRefresh }))?.bytes ?? 0;
  }

  return {
    async isUsedUp(workspaceId, today) {
      const { day } = today;
      const [count, bytes] = await Promise.all([
        counts.fetch(keyOf(workspaceId, day), { context: { workspaceId, day } }),
        bytesOf(workspaceId, today.visitorStorageBytes),
      ]);
      const messages = count?.messages ?? 0;
      announceIfNear('visitorMessages', { workspaceId, day, used: messages, limit: today.messages });
      announceIfNear('visitorStorageBytes', {
        workspaceId,
        day,
        used: bytes,
        limit: today.visitorStorageBytes,
      });
      return messages >= today.messages || bytes >= today.visitorStorageBytes;
    },
    counted(workspaceId, today) {
      const count = counts.get(keyOf(workspaceId, today.day));
      if (!count) return;
      count.messages += 1;
      const { day, messages: limit } = today;
      announceIfNear('visitorMessages', { workspaceId, day, used: count.messages, limit });
    },
  };
}
