/** Time, so that tests can move it. Every stored instant comes from here. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Whole Unix seconds: the only unit that the API shows. */
export const seconds = (ms: number): number => Math.floor(ms / 1000);
