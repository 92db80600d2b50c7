/** Source of every stored instant. Tests replace it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Maximum difference between the clocks of two processes. A sample of the database's clock is wrong by at most half of
 * its round trip: usually less than 0.5 s, but more for a slow first sample.
 */
export const CLOCK_SKEW_MS = 5000;

/** Returns whole Unix seconds, the unit of the API. */
export const seconds = (ms: number): number => Math.floor(ms / 1000);
