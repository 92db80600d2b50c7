/** A number of places: who finds none free waits, first come, first served. */
export interface Places {
  /** Resolves with the function that gives the place back. */
  enter(): Promise<() => void>;
  /** Resolves when nobody holds a place or waits for one. */
  empty(): Promise<void>;
}

export const createPlaces = (count: number): Places => {
  let free = count;
  const waiting: (() => void)[] = [];
  let whenEmpty: (() => void)[] = [];

  const leave = (): void => {
    const next = waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    free += 1;
    if (free < count) return;
    for (const resolve of whenEmpty) resolve();
    whenEmpty = [];
  };

  return {
    async enter() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return leave;
    },
    empty: () => (free === count ? Promise.resolve() : new Promise((resolve) => whenEmpty.push(resolve))),
  };
};
