import { CLOCK_SKEW_MS } from '../ports/clock.port.js';

/*
 * Limits of visitors. An address is limited by the generic cell rate algorithm (GCRA): one number per key, the
 * theoretical arrival time (TAT) of the next message if messages came evenly.
 *
 * @see https://www.itu.int/rec/T-REC-I.371
 */

export interface Rate {
  messages: number;
  windowMs: number;
}

/**
 * Counts a message. Returns the new TAT, or the time to wait. Ignores a TAT that is too late for this limit: the clock was
 * ahead when it was stored.
 */
export function countMessage(
  tatMs: number,
  nowMs: number,
  { messages, windowMs }: Rate,
): { tatMs: number } | { retryAfterMs: number } {
  const isAhead = tatMs > nowMs + windowMs + CLOCK_SKEW_MS;
  const next = Math.max(isAhead ? 0 : tatMs, nowMs) + windowMs / messages;
  const excess = next - nowMs - windowMs;
  // Fractions of a millisecond add up to rounding errors.
  return excess > 0.5 ? { retryAfterMs: excess } : { tatMs: next };
}

const DAY_MS = 86_400_000;
/** Share of a workspace's daily messages that one address may use, and its minimum number of messages. */
const ADDRESS_SHARE = 0.1;
const ADDRESS_LEAST = 20;

export const addressPerDay = (perDay: number): number =>
  Math.max(ADDRESS_LEAST, Math.floor(perDay * ADDRESS_SHARE));

/** Returns the day (`YYYY-MM-DD`, UTC). */
export const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

export const endOfDay = (nowMs: number): number => (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
