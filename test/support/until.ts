import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 60_000;

/**
 * Polls `probe` until it returns a truthy value, which it returns. Rejects with `what` after the deadline
 * (milliseconds).
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  deadlineMs = DEADLINE_MS,
): Promise<Exclude<T, null | undefined | false | 0 | ''>> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const found = await probe();
    if (found) return found as Exclude<T, null | undefined | false | 0 | ''>;
    if (Date.now() > end) throw new Error(`waited ${deadlineMs} ms for ${what}`);
    await sleep(20);
  }
}
