import { percentile } from '../figures.js';

/** Counts events by name. */
export interface Tally {
  add(what: string, n?: number): void;
  of(what: string): number;
  /** By name, the most frequent first. */
  entries(): [string, number][];
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add: (what, n = 1) => void counts.set(what, (counts.get(what) ?? 0) + n),
    of: (what) => counts.get(what) ?? 0,
    entries: () => [...counts].sort(([, a], [, b]) => b - a),
  };
}

/** Milliseconds. */
export interface Spread {
  n: number;
  p50: number;
  p99: number;
  max: number;
}

export function spread(values: number[]): Spread {
  const at = (share: number) => Math.round(percentile(values, share));
  return { n: values.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
