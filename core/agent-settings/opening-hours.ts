import type { Weekday } from '../schemas/weekdays.js';

/** Spans of a day as `HH:MM`, from and until. `24:00` is the end of the day. */
export type Span = [from: string, until: string];

export interface OpeningHours {
  /** IANA name. */
  timeZone: string;
  /** A day without spans is closed. */
  days: Partial<Record<Weekday, Span[]>>;
}

const names: Readonly<Record<string, Weekday>> = {
  Mon: 'mon',
  Tue: 'tue',
  Wed: 'wed',
  Thu: 'thu',
  Fri: 'fri',
  Sat: 'sat',
  Sun: 'sun',
};

/**
 * Returns whether an instant (Unix ms) is within the hours; null means always. Compares the time that clocks in the zone
 * show, so a span that a change of the clock skips or repeats is shorter or longer.
 */
export function withinHours(hours: OpeningHours | null, at: number): boolean {
  if (hours === null) return true;
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: hours.timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  const time = `${part('hour')}:${part('minute')}`;
  const day = names[part('weekday')];
  const spans = day === undefined ? [] : (hours.days[day] ?? []);
  return spans.some(([from, until]) => from <= time && time < until);
}
