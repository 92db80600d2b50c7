import type { ComponentChildren } from 'preact';

/* Formats are created when they are first used, because this takes longer than to render a page. */
let days: Intl.DateTimeFormat | undefined;
let relative: Intl.RelativeTimeFormat | undefined;

function dateOf(seconds: number): string {
  days ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return days.format(seconds * 1000);
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Times older than this many days are shown as dates. */
const RELATIVE_DAYS = 7;

/** Formats a time as `5 minutes ago`, or as a date if it is older than a week. `ms` is the current time. */
function spoken(seconds: number, ms: number): string {
  const distance = seconds - ms / 1000;
  if (Math.abs(distance) > RELATIVE_DAYS * 86_400) return dateOf(seconds);
  const [unit, size] = units.find(([, size]) => Math.abs(distance) >= size) ?? ['second', 0];
  if (unit === 'second') return 'just now';
  relative ??= new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  return relative.format(Math.trunc(distance / size), unit);
}

/** A time from the API. The tooltip shows the date in the reader's time zone. */
export const When = ({ seconds }: { seconds: number | null }) =>
  seconds === null ? (
    <span>never</span>
  ) : (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={dateOf(seconds)}>
      {spoken(seconds, Date.now())}
    </time>
  );

interface BarProps {
  label: string;
  value: number;
  max: number;
  /** Description of the usage. */
  children: ComponentChildren;
}

export const Progress = ({ label, value, max, children }: BarProps) => (
  <div class="bar">
    <div class="bar-words">
      <span>{label}</span>
      <span class="muted">{children}</span>
    </div>
    <progress aria-label={label} value={value} max={Math.max(1, max)} />
  </div>
);

/** Usage of an allowance. */
export const Quota = ({ label, value, max, children }: BarProps) => (
  <div class="bar">
    <div class="bar-words">
      <span>{label}</span>
      <span class="muted">{children}</span>
    </div>
    <meter
      aria-label={label}
      value={value}
      min={0}
      max={Math.max(1, max)}
      high={0.9 * Math.max(1, max)}
      low={0.75 * Math.max(1, max)}
      optimum={0}
    />
  </div>
);
