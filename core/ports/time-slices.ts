import { setImmediate as nextIteration } from 'node:timers/promises';

/** Time after which other work gets the event loop, in milliseconds. */
const SLICE_MS = 10;

/**
 * Divides long work into slices. Call the returned function between two steps, and await its result: if the last pause
 * was more than 10 ms ago, it resolves in the next iteration of the event loop.
 */
export function timeSlices(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < SLICE_MS) return undefined;
    return nextIteration().then(() => {
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
