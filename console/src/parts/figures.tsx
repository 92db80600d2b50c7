import type { ComponentChildren } from 'preact';

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time of the API in the reader's time zone. */
export const When = ({ seconds }: { seconds: number | null }) =>
  seconds === null ? (
    <span>never</span>
  ) : (
    <time dateTime={new Date(seconds * 1000).toISOString()}>{days.format(seconds * 1000)}</time>
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
