const FAILURES = 5;
const OPEN_MS = 10_000;

/** A circuit breaker: after consecutive failures, it blocks calls for some seconds and then admits a single call. */
export interface Breaker {
  /** Returns whether a call may be made now. The caller must then report its result. */
  allows(): boolean;
  succeeded(): void;
  failed(): void;
  /** Reports a call that shows neither a healthy nor a failing provider, such as an aborted one. */
  undecided(): void;
  isOpen(): boolean;
}

/** Creates a closed circuit breaker. `now` is a monotonic clock in milliseconds. */
export function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let openUntil = 0;
  let trying = false;
  const isOpen = (): boolean => failures >= FAILURES;
  return {
    allows() {
      if (!isOpen()) return true;
      if (trying || now() < openUntil) return false;
      trying = true;
      return true;
    },
    succeeded() {
      failures = 0;
      trying = false;
    },
    failed() {
      failures += 1;
      trying = false;
      if (isOpen()) openUntil = now() + OPEN_MS;
    },
    undecided() {
      trying = false;
    },
    isOpen,
  };
}
