/** Chance that comes the same again from the same seed (as far as the order of asking is the same). */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** A stream of its own for one part of the siege. */
  fork(): Random;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (share) => next() < share,
    pick: (from) => from[Math.floor(next() * from.length)] ?? from[0],
    fork: () => createRandom(Math.floor(next() * 2 ** 32)),
  };
}
