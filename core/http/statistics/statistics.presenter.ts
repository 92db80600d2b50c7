import { medianOf } from '../../conversations/statistics.js';
import type { CitedSource, DayCount, DayCounter } from '../../ports/store/conversations/statistics.js';

const none: Record<DayCounter, number> = {
  conversations: 0,
  questions: 0,
  answered: 0,
  suggested: 0,
  unanswered: 0,
  positive: 0,
  negative: 0,
  visitors: 0,
  contacts: 0,
  handoverRequests: 0,
  handoversTaken: 0,
};

/** `days`: all days of the period. */
export function presentStatistics(
  days: readonly string[],
  counts: readonly DayCount[],
  topSources: CitedSource[],
  { durations, waits }: Record<'durations' | 'waits', readonly { bucket: number; n: number }[]>,
) {
  const byDay = new Map(days.map((day) => [day, { day, ...none }]));
  for (const { day, counter, n } of counts) {
    const counted = byDay.get(day);
    if (counted) counted[counter] = n;
  }
  const waitMs = medianOf(waits);
  return {
    days: [...byDay.values()],
    topSources,
    medianAnswerMs: medianOf(durations),
    medianWaitSeconds: waitMs === null ? null : Math.round(waitMs / 1000),
  };
}
