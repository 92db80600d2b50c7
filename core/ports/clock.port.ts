/** Source of every stored instant. Tests replace it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Returns whole Unix seconds, the unit of the API. */
export const seconds = (ms: number): number => Math.floor(ms / 1000);
