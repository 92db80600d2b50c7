import type { Health } from '../../ports/health.js';
import { inTime } from '../../ports/time-limit.js';

const CHECK_MS = 3000;
/** What was found is told without another look for so long. */
const FRESH_MS = 1000;
/** While the next look is under way, for so long. */
const USABLE_MS = 3000;

/**
 * A check that looks once a second at most, and makes nobody wait who asks often: under load, a look takes its time. Whoever asks seldom gets
 * what a look of that moment finds.
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

/** A check that hangs is a check that failed. */
async function healthOf(check: () => Promise<Health>): Promise<Health> {
  const checked = (async () => check())().catch(
    (error: Error): Health => ({ ok: false, reason: error.message }),
  );
  return inTime(CHECK_MS, checked, () => ({ ok: false, reason: `no answer within ${CHECK_MS} ms` }));
}
