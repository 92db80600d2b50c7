import { inTime } from '../fairness/time-limit.js';
import type { Health } from '../ports/health.js';
import { recent } from './recent.js';

/** Maximum time for one check, in milliseconds. */
const CHECK_MS = 3000;
/** Arguments of `recent`, in milliseconds. */
const FRESH_MS = 1000;
const USABLE_MS = 3000;

/**
 * Returns a function that caches the result of a check for up to a second, because checks are slow under load.
 * Frequent callers get the last result immediately, infrequent callers a new one. Never rejects.
 */
export const recentHealth = (check: () => Promise<Health>, now?: () => number): (() => Promise<Health>) =>
  recent(() => healthOf(check), { freshMs: FRESH_MS, usableMs: USABLE_MS }, now);

/**
 * Returns a function that runs several checks like `recentHealth`. It resolves to all results by name and never
 * rejects.
 */
export function recentHealths(
  checks: Record<string, () => Promise<Health>>,
): () => Promise<Record<string, Health>> {
  const healths = Object.entries(checks).map(([name, check]) => [name, recentHealth(check)] as const);
  return async () =>
    Object.fromEntries(
      await Promise.all(healths.map(async ([name, health]) => [name, await health()] as const)),
    );
}

/** Runs a check. It fails if it rejects or exceeds the time limit. */
async function healthOf(check: () => Promise<Health>): Promise<Health> {
  const checked = (async () => check())().catch(
    (error: Error): Health => ({ ok: false, reason: error.message }),
  );
  return inTime(CHECK_MS, checked, () => ({ ok: false, reason: `no response within ${CHECK_MS} ms` }));
}
