import type { Counted } from '../ports/store/workspaces.js';
import { limits } from '../schemas/limits.js';
import type { WebhookEvent } from '../schemas/webhook-events.js';

/** The usage at which an allowance is nearly full and `quota.near` is sent. */
export const nearMark = (limit: number): number => (limit * limits.webhooks.nearPercent) / 100;

/** The event to send, `at` in Unix seconds, once for each time that an allowance gets so full; else null. */
export function quotaNear(
  allowance: 'agents' | 'storageBytes',
  { before, used, limit }: Counted,
  at: number,
): WebhookEvent | null {
  const near = nearMark(limit);
  if (before >= near || used < near) return null;
  return { type: 'quota.near', at, data: { allowance, used, limit } };
}
