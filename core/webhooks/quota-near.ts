import type { Counted } from '../ports/store/workspaces.js';
import type { WebhookEvent } from '../schemas/webhook-events.js';

/** The part of an allowance from which on it is nearly used up. */
const NEAR = 0.9;

/** What is told, `at` in Unix seconds, once for each time that an allowance gets so full; null when this is not that time. */
export function quotaNear(
  allowance: 'agents' | 'storageBytes',
  { before, used, limit }: Counted,
  at: number,
): WebhookEvent | null {
  const near = limit * NEAR;
  if (before >= near || used < near) return null;
  return { type: 'quota.near', at, data: { allowance, used, limit } };
}
