import type { Log } from '../ports/log.port.js';

/**
 * Wraps metric recorders so that they log errors instead of throwing. The metrics library throws for invalid values,
 * which must not affect the measured work.
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
        log.warn({ metric: name, err: error }, 'could not record a metric');
      }
    },
  ]);
  return Object.fromEntries(safe) as R;
}
