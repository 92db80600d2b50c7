/**
 * One of those that run against each other: a module with a function `round`, in a process of its own (serve-rounds.ts).
 */
export interface Contender {
  /** Works through all items (URLs or paths) as fast as it can; how many gave text. */
  round(items: string[]): Promise<number>;
}

/** What a round took: by the clock, of the processor (all threads), and the most memory that was resident so far. */
export interface Round {
  done: number;
  seconds: number;
  cpuSeconds: number;
  peakMb: number;
}
