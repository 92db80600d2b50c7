import type { JsonObject } from '../schemas/json.js';

/** When the pages of an agent are read again. Days by the clocks of the zone, at `hour`. */
export type Schedule =
  | { every: number; unit: 'hours' }
  | { every: number; unit: 'days'; hour: number; timeZone: string };

/** `schedule` in the settings of an agent; null without one. */
export function scheduleOf({ schedule }: JsonObject): Schedule | null {
  const stored = schedule as Partial<Schedule> | undefined;
  // A draft that was published over a removed schedule may have only some of its fields.
  return stored?.every ? (stored as Schedule) : null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the first moment of a new schedule after `now`. All moments are in Unix ms. */
export function firstMoment(schedule: Schedule, now: number): number {
  if (schedule.unit === 'hours') return now + schedule.every * HOUR_MS;
  const today = dayOf(schedule, now);
  return firstAfter(now, (n) => momentOn(schedule, today + n * DAY_MS));
}

/** Returns the moment after the one at `due`, whose run begins `now`. Missed moments are left out. */
export function nextMoment(schedule: Schedule, due: number, now: number): number {
  if (schedule.unit === 'hours') return now + schedule.every * HOUR_MS;
  const period = schedule.every * DAY_MS;
  // Starts a period early: a change of the clock may move a moment to either side.
  const missed = Math.max(0, Math.floor((now - due) / period) - 1);
  const day = dayOf(schedule, due) + missed * period;
  return firstAfter(now, (n) => momentOn(schedule, day + (n + 1) * period));
}

/** Returns the latest moment that can follow a run which has begun by `now`. */
export const latestMoment = (schedule: Schedule, now: number): number =>
  schedule.unit === 'hours'
    ? now + schedule.every * HOUR_MS
    : momentOn(schedule, dayOf(schedule, now) + schedule.every * DAY_MS);

function firstAfter(now: number, momentAt: (n: number) => number): number {
  for (let n = 0; ; n += 1) {
    const moment = momentAt(n);
    if (moment > now) return moment;
  }
}

type Days = Extract<Schedule, { unit: 'days' }>;

/** Returns midnight of the day that clocks in the zone show at `at`, as if the zone were UTC. */
const dayOf = ({ timeZone }: Days, at: number): number => {
  const shown = shownIn(timeZone)(at);
  return shown - (((shown % DAY_MS) + DAY_MS) % DAY_MS);
};

/**
 * Returns the first instant of the day at which clocks in the zone show `hour`. If a change of the clock skips it, returns
 * the instant of the change.
 */
function momentOn({ hour, timeZone }: Days, day: number): number {
  const wanted = day + hour * HOUR_MS;
  const shown = shownIn(timeZone);
  const candidates = [wanted - DAY_MS, wanted + DAY_MS].map((at) => wanted - (shown(at) - at));
  const [early = wanted, late = wanted] = candidates.toSorted((a, b) => a - b);
  const exact = [early, late].find((at) => shown(at) === wanted);
  if (exact !== undefined) return exact;
  let [before, after] = [early, late];
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000;
    if (shown(middle) < wanted) before = middle;
    else after = middle;
  }
  return after;
}

/** Returns a function from an instant to what clocks in the zone show, as Unix ms of the same reading in UTC. */
function shownIn(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  });
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
    return Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
  };
}
