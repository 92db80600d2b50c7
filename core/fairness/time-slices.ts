import { setImmediate as nextIteration } from 'node:timers/promises';

/** Maximum time that a slice blocks the event loop, in milliseconds. */
const SLICE_MS = 10;

/**
 * The last slice of each lane. Turns have a lane of their own: they hold locks, so they must not wait for the slices
 * of requests.
 */
const last = { request: Promise.resolve(), turn: Promise.resolve() };
type Lane = keyof typeof last;

/**
 * Resolves when a slice of long work may start. In each iteration of the event loop, one slice of each lane starts,
 * in FIFO order. Otherwise the slices of several requests would add up to a long pause.
 */
export function nextSlice(lane: Lane = 'request'): Promise<void> {
  last[lane] = last[lane].then(() => nextIteration());
  return last[lane];
}

/**
 * Divides long work into slices. Call the returned function between two steps and await its result: after a slice of
 * 10 ms, it resolves when the next slice may start.
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

/** Like `items.map(work)`, but sequentially and in slices. Rejects if `work` does. */
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
