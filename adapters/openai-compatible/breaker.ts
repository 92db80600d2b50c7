const FAILURES = 5;
const OPEN_MS = 10_000;

/**
 * Spares a provider that fails: after some failures in a row nobody calls it for a while, and then
 * one call goes first.
 */
export interface Breaker {
  /** Whether a call may be made now. The caller must then report how it went. */
  allows(): boolean;
  succeeded(): void;
  failed(): void;
  /** It was neither: somebody else ended the call. */
  undecided(): void;
  isOpen(): boolean;
}

/** `now`: milliseconds of a clock that nobody sets. */
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
