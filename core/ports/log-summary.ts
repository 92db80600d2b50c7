/** Writes at most one line a minute about something that may happen often. */
export interface LogSummary<T> {
  /** Writes a line about the first event at once, and one about all later events of each minute at its end. */
  add(event: T): void;
  /** Writes what has not been written yet, at the end of the process. */
  flush(): void;
}

const MINUTE_MS = 60_000;

/** `write` receives the events since the last line. */
export function logSummary<T>(write: (events: readonly T[]) => void, everyMs = MINUTE_MS): LogSummary<T> {
  let events: T[] = [];
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    const found = events;
    events = [];
    if (found.length > 0) write(found);
  }

  function next(): void {
    timer = null;
    if (events.length === 0) return;
    flush();
    timer = setTimeout(next, everyMs).unref();
  }

  return {
    add(event) {
      events.push(event);
      if (timer === null) next();
    },
    flush,
  };
}
