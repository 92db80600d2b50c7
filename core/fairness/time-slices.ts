import { setImmediate as nextIteration } from 'node:timers/promises';

/** Time after which other work gets the event loop, in milliseconds. */
const SLICE_MS = 10;

/** A turn holds locks, so its slices do not wait for the slices of requests. */
const last = { request: Promise.resolve(), turn: Promise.resolve() };
type Lane = keyof typeof last;

/**
 * Waits until a slice of long work may start. One slice of each lane starts per iteration of the event loop, in the
 * order of the calls. Otherwise the slices of several requests would add up.
 */
export function nextSlice(lane: Lane = 'request'): Promise<void> {
  last[lane] = last[lane].then(() => nextIteration());
  return last[lane];
}

/**
 * Divides long work into slices. Call the returned function between two steps, and await its result: if the slice has
 * taken more than 10 ms, it resolves when the next one may start.
 */
export function timeSlices(lane: Lane = 'request'): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < SLICE_MS) return undefined;
    return nextSlice(lane).then(() => {
      startedAt = performance.now();
    });
  };
}

/** Like `items.map(work)`, in slices. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  work: (item: T) => R | Promise<R>,
  lane: Lane = 'request',
): Promise<R[]> {
  const pause = timeSlices(lane);
  const results: R[] = [];
  for (const item of items) {
    results.push(await work(item));
    await pause();
  }
  return results;
}
