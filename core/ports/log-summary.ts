/** Writes at most one line a minute about something that may happen often. */
export interface LogSummary<T> {
  /** Logs the first event at once, and all later events of a minute as one line at its end. */
  add(event: T): void;
  /** Logs pending events. Call it at the end of the process. */
  flush(): void;
}

const MINUTE_MS = 60_000;

/** `merge` combines events, oldest first, so that only one is kept in memory. `write` receives the result. */
export function logSummary<T>(
  { merge, write }: { merge: (sum: T, next: T) => T; write: (sum: T) => void },
  everyMs = MINUTE_MS,
): LogSummary<T> {
  let sum: { event: T } | null = null;
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    const found = sum;
    sum = null;
    if (found) write(found.event);
  }

  function next(): void {
    timer = null;
    if (sum === null) return;
    flush();
    timer = setTimeout(next, everyMs).unref();
  }

  return {
    add(event) {
      sum = { event: sum === null ? event : merge(sum.event, event) };
      if (timer === null) next();
    },
    flush,
  };
}
