import type { Health } from '../ports/health.js';
import { inTime } from '../ports/time-limit.js';

const CHECK_MS = 3000;
/** A result this young is given without another look. */
const FRESH_MS = 1000;
/** The same while the next look is under way. */
const USABLE_MS = 3000;

/**
 * A check that runs at most once a second, because under load it takes its time: those who ask often get the
 * last result at once, those who ask seldom a fresh one.
 */
export function recentHealth(
  check: () => Promise<Health>,
  now: () => number = () => performance.now(),
): () => Promise<Health> {
  let last: { health: Health; at: number } | null = null;
  let look: Promise<Health> | null = null;

  async function lookNow(): Promise<Health> {
    const health = await healthOf(check);
    last = { health, at: now() };
    look = null;
    return health;
  }

  return async () => {
    const age = last === null ? Number.POSITIVE_INFINITY : now() - last.at;
    if (age >= FRESH_MS) look ??= lookNow();
    return last !== null && age < USABLE_MS ? last.health : (look as Promise<Health>);
  };
}

/** Runs several checks, each as `recentHealth` does. Resolves with all results by name, and never rejects. */
export function recentHealths(
  checks: Record<string, () => Promise<Health>>,
): () => Promise<Record<string, Health>> {
  const healths = Object.entries(checks).map(([name, check]) => [name, recentHealth(check)] as const);
  return async () =>
    Object.fromEntries(
      await Promise.all(healths.map(async ([name, health]) => [name, await health()] as const)),
    );
}

/** A check that hangs is a check that failed. */
async function healthOf(check: () => Promise<Health>): Promise<Health> {
  const checked = (async () => check())().catch(
    (error: Error): Health => ({ ok: false, reason: error.message }),
  );
  return inTime(CHECK_MS, checked, () => ({ ok: false, reason: `no answer within ${CHECK_MS} ms` }));
}
