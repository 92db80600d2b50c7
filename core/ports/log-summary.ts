/** Writes at most one line a minute about something that may happen often. */
export interface LogSummary<T> {
  /** Writes a line about the first event at once, and one about all later events of each minute at its end. */
  add(event: T): void;
  /** Writes what has not been written yet, at the end of the process. */
  flush(): void;
}

const MINUTE_MS = 60_000;

/** `merge` combines events, oldest first, so that no more than one is kept in memory. `write` receives the result. */
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
