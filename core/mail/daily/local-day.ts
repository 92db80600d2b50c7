/** A moment as the clocks of a time zone show it. */
interface LocalTime {
  /** `YYYY-MM-DD` */
  day: string;
  hour: number;
  minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes a hundred times as long as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const digits = '2-digit';
  const made = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: digits, day: digits, hour: digits },
    minute: digits,
  } as const);
  formats.set(timeZone, made);
  return made;
}

export function localTime(ms: number, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    hour: Number(parts.hour),
    minute: Number(parts.minute),
  };
}

const DAY_S = 86_400;
/** No clock differs from UTC by more. */
const FURTHEST_S = 15 * 3600;

/**
 * Returns the first second of a day in a time zone. Searched, because a day may begin at 01:00 when the clocks change at
 * midnight.
 */
function startOf(day: string, timeZone: string): number {
  let before = Date.parse(day) / 1000 - FURTHEST_S;
  let at = before + 2 * FURTHEST_S;
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (localTime(middle * 1000, timeZone).day < day) before = middle;
    else at = middle;
  }
  return at;
}

export const dayBefore = (day: string): string =>
  new Date(Date.parse(day) - DAY_S * 1000).toISOString().slice(0, 10);

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_S * 1000).toISOString().slice(0, 10);

/** Returns the seconds of a day in a time zone: 23 to 25 hours, `to` exclusive. */
export const spanOf = (day: string, timeZone: string): { from: number; to: number } => ({
  from: startOf(day, timeZone),
  to: startOf(dayAfter(day), timeZone),
});
