import type { Owner } from './owner.js';
import { createRoundRobin } from './round-robin.js';

/** A queue of requests for a resource. It serves workspaces round-robin, and the agents within each workspace in the same way. */
export interface FairQueue<R extends Owner> {
  /** Grants `request` if the resource has room for it now. Returns whether it did. */
  tryTake(request: R): boolean;
  /** Resolves when `request` is granted. Rejects with the signal's reason if it aborts first. */
  wait(request: R, signal?: AbortSignal): Promise<void>;
  /**
   * Grants queued requests while the resource has room, at most `limit`. Call it after a release. Returns whether it
   * reached the limit.
   */
  grant(limit?: number): boolean;
  /** Number of queued requests. */
  readonly size: number;
}

/**
 * Creates an empty queue. `mayGrant` returns whether the resource has room for a request; `take` occupies that room.
 * `inOrder` grants the requests of an agent in FIFO order; otherwise a request may overtake an earlier one for which
 * there is no room.
 */
export function createFairQueue<R extends Owner>(
  mayGrant: (request: R) => boolean,
  take: (request: R) => void,
  { inOrder = true }: { inOrder?: boolean } = {},
): FairQueue<R> {
  const queue = createRoundRobin<{ request: R; resolve: () => void }>();

  function grant(limit = Number.POSITIVE_INFINITY): boolean {
    for (let granted = 0; granted < limit; granted += 1) {
      const next = queue.take(({ request }) => mayGrant(request), inOrder);
      if (next === undefined) return false;
      take(next.request);
      next.resolve();
    }
    return true;
  }

  function tryTake(request: R): boolean {
    const isGranted = mayGrant(request);
    if (isGranted) take(request);
    return isGranted;
  }

  return {
    get size() {
      return queue.size;
    },
    tryTake,
    grant,
    wait: (request, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (tryTake(request)) return resolve();
        const abort = (): void => {
          queue.remove(queued, request);
          reject(signal?.reason);
        };
        const queued = {
          request,
          resolve() {
            signal?.removeEventListener('abort', abort);
            resolve();
          },
        };
        signal?.addEventListener('abort', abort, { once: true });
        queue.add(queued, request);
      }),
  };
}
