/** Source of every stored instant. Tests replace it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Largest difference between the clocks of two processes. A sample of the database's clock is wrong by up to half of its
 * round trip: usually less than 0.5 s, but the first sample of a process may be slower.
 */
export const CLOCK_SKEW_MS = 5000;

/** Returns whole Unix seconds, the unit of the API. */
export const seconds = (ms: number): number => Math.floor(ms / 1000);
