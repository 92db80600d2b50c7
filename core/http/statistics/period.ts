import { invalidField } from '../../errors/api-error.js';
import { dayOf } from '../../visitors/limits.js';

const DAY_MS = 86_400_000;

/** Days (`YYYY-MM-DD`, UTC), both inclusive. */
export interface Period {
  from: string;
  to: string;
}

const msOf = (day: string): number => Date.parse(day);
const plusDays = (day: string, days: number): string => dayOf(msOf(day) + days * DAY_MS);

/**
 * Completes a period: `to` defaults to today, and `from` to the day that makes the period `days` long. Throws 400 for a
 * period that ends before it begins, or that has more than `most` days.
 */
export function periodOf(
  query: { from?: string; to?: string },
  nowMs: number,
  { days, most = Number.POSITIVE_INFINITY }: { days: number; most?: number },
): Period {
  const { to = dayOf(nowMs) } = query;
  const { from = plusDays(to, 1 - days) } = query;
  if (from > to) throw invalidField('from', 'must not be after to');
  if (daysOf({ from, to }) > most)
    throw invalidField('from', `must not begin a period of more than ${most} days`);
  return { from, to };
}

/** Returns the first of the last `days` days, or `day` if that is later. */
export const startOfLast = (days: number, day: string | undefined, nowMs: number): string => {
  const first = plusDays(dayOf(nowMs), 1 - days);
  return day !== undefined && day > first ? day : first;
};

/** Returns the first and the last second of the period, in Unix seconds. */
export const secondsOf = ({ from, to }: Period): { fromAt: number; toAt: number } => ({
  fromAt: msOf(from) / 1000,
  toAt: (msOf(to) + DAY_MS) / 1000 - 1,
});

const daysOf = ({ from, to }: Period): number => (msOf(to) - msOf(from)) / DAY_MS + 1;

/** Returns every day of the period, in order. */
export const eachDay = (period: Period): string[] =>
  Array.from({ length: daysOf(period) }, (_, n) => plusDays(period.from, n));
