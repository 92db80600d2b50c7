import { longestSettings } from '../schemas/longest-settings.js';

export interface Backoff {
  baseMs: number;
  maxMs: number;
}

/**
 * Returns the delay in milliseconds after failed attempt number `attempt` (from 1): exponential from `baseMs` to
 * `maxMs`, with jitter in its upper half. `random` is in [0, 1). A longer `Retry-After` takes precedence, up to the
 * longest backoff that the settings allow.
 */
export function backoffMs(
  attempt: number,
  { baseMs, maxMs }: Backoff,
  random: number,
  retryAfterMs = 0,
): number {
  const full = Math.min(maxMs, baseMs * 2 ** Math.min(attempt - 1, 30));
  return Math.max(
    Math.round(full / 2 + (full / 2) * random),
    Math.min(retryAfterMs, longestSettings.backoffMs),
  );
}
