import { LRUCache } from 'lru-cache';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Visitors } from '../ports/store/visitors.js';
import { quotaNear } from '../webhooks/quota-near.js';
import type { VisitorAllowance } from './allowance.js';

/** Counts of visitors' messages by workspace, a second old at most. */
export interface DayCounts {
  /** Returns whether the workspace's day is used up. */
  isUsedUp(workspaceId: string, today: VisitorAllowance['today']): Promise<boolean>;
  /** Announces that the workspace is near its limit, once a day. Call it after each message. */
  counted(workspaceId: string, today: VisitorAllowance['today']): void;
}

interface DayCountsOptions {
  visitors: Pick<Visitors, 'messagesOn' | 'announceOnce'>;
  clock: Clock;
  log: Log;
}

const MAX_CACHED = 10_000;
const TTL_MS = 1000;

export function createDayCounts({ visitors, clock, log }: DayCountsOptions): DayCounts {
  const counts = new LRUCache<string, { messages: number }, { workspaceId: string; day: string }>({
    max: MAX_CACHED,
    ttl: TTL_MS,
    fetchMethod: async (_key, _stale, { context: { workspaceId, day } }) => ({
      messages: await visitors.messagesOn(workspaceId, day),
    }),
  });
  const announced = new LRUCache<string, true>({ max: MAX_CACHED });
  const keyOf = (workspaceId: string, day: string): string => `${workspaceId} ${day}`;

  function announceIfNear(
    workspaceId: string,
    { day, messages: limit }: VisitorAllowance['today'],
    used: number,
  ) {
    const key = keyOf(workspaceId, day);
    const event = quotaNear('visitorMessages', { before: 0, used, limit }, seconds(clock.now()));
    if (event === null || announced.has(key)) return;
    announced.set(key, true);
    visitors.announceOnce(workspaceId, day, event).catch((error: unknown) => {
      announced.delete(key);
      log.warn({ err: error, workspaceId }, 'a webhook event could not be stored; the next message retries');
    });
  }

  return {
    async isUsedUp(workspaceId, today) {
      const context = { workspaceId, day: today.day };
      const count = await counts.fetch(keyOf(workspaceId, today.day), { context });
      const used = count?.messages ?? 0;
      announceIfNear(workspaceId, today, used);
      return used >= today.messages;
    },
    counted(workspaceId, today) {
      const count = counts.get(keyOf(workspaceId, today.day));
      if (!count) return;
      count.messages += 1;
      announceIfNear(workspaceId, today, count.messages);
    },
  };
}
