import type { Counted } from '../ports/store/workspaces.js';
import { limits } from '../schemas/limits.js';
import type { WebhookEvent } from '../schemas/webhook-events.js';

/** Returns the usage from which `quota.near` is sent. */
export const nearMark = (limit: number): number => (limit * limits.webhooks.nearPercent) / 100;

/** Returns the event if the usage has just reached that mark; otherwise null. `at` is in Unix seconds. */
export function quotaNear(
  allowance: 'agents' | 'storageBytes' | 'visitorMessages' | 'visitorStorageBytes',
  { before, used, limit }: Counted,
  at: number,
): WebhookEvent | null {
  const near = nearMark(limit);
  if (before >= near || used < near) return null;
  return { type: 'quota.near', at, data: { allowance, used, limit } };
}
