import { invalidField } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';
import { dayOf } from '../../visitors/limits.js';

const DAY_MS = 86_400_000;

/** Days (`YYYY-MM-DD`, UTC), both inclusive. */
export interface Period {
  from: string;
  to: string;
}

const msOf = (day: string): number => Date.parse(day);
const plusDays = (day: string, days: number): string => dayOf(msOf(day) + days * DAY_MS);

/** Completes a period: `to` is today, `from` as many days before it. Throws 400 for one that is too long or negative. */
export function periodOf(query: { from?: string; to?: string }, nowMs: number, defaultDays: number): Period {
  const { to = dayOf(nowMs) } = query;
  const { from = plusDays(to, 1 - defaultDays) } = query;
  if (from > to) throw invalidField('from', 'must not be after to');
  if (daysOf({ from, to }) > limits.statistics.days)
    throw invalidField('from', `must not begin a period of more than ${limits.statistics.days} days`);
  return { from, to };
}

const daysOf = ({ from, to }: Period): number => (msOf(to) - msOf(from)) / DAY_MS + 1;

/** Returns every day of the period, in order. */
export const eachDay = (period: Period): string[] =>
  Array.from({ length: daysOf(period) }, (_, n) => plusDays(period.from, n));
