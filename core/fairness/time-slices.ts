import { setImmediate as nextIteration } from 'node:timers/promises';

/** Time after which other work gets the event loop, in milliseconds. */
const SLICE_MS = 10;

let last: Promise<void> = Promise.resolve();

/**
 * Waits until a slice of long work may start. One slice starts per iteration of the event loop, in the order of the
 * calls. Otherwise the slices of several requests would add up.
 */
export function nextSlice(): Promise<void> {
  last = last.then(() => nextIteration());
  return last;
}

/**
 * Divides long work into slices. Call the returned function between two steps, and await its result: if the slice has
 * taken more than 10 ms, it resolves when the next one may start.
 */
export function timeSlices(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < SLICE_MS) return undefined;
    return nextSlice().then(() => {
      startedAt = performance.now();
    });
  };
}

/** Like `items.map(work)`, in slices. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  work: (item: T) => R | Promise<R>,
): Promise<R[]> {
  const pause = timeSlices();
  const results: R[] = [];
  for (const item of items) {
    results.push(await work(item));
    await pause();
  }
  return results;
}
