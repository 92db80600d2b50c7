import type { Log } from '../ports/log.port.js';

/**
 * Wraps functions that record figures. The metrics library throws for a value that it cannot count; an error in a
 * measurement must not reach the measured work, so it is logged instead.
 */
export function neverThrowing<R extends { [K in keyof R]: (...values: never[]) => void }>(
  recorders: R,
  log: Log,
): R {
  const safe = Object.entries<(...values: never[]) => void>(recorders).map(([name, record]) => [
    name,
    (...values: never[]) => {
      try {
        record(...values);
      } catch (error) {
        log.warn({ metric: name, err: error }, 'a figure could not be recorded');
      }
    },
  ]);
  return Object.fromEntries(safe) as R;
}
