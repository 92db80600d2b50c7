import { setImmediate as inNextIteration } from 'node:timers';
import { createFairQueue } from '../../fairness/fair-queue.js';
import type { Owner } from '../../fairness/owner.js';

/**
 * Permits for requests. The `workspaceId` of an owner is its key. A key is limited only while it competes with another key.
 * Its requests are queued round-robin by `agentId`.
 */
export interface RequestPermits {
  /** Takes a permit if one is granted at once. */
  tryTake(owner: Owner): boolean;
  /** Resolves when the owner has a permit. Rejects with the signal's reason if it aborts first. */
  wait(owner: Owner, signal: AbortSignal): Promise<void>;
  release(key: string): void;
  /** Number of queued requests. */
  readonly waiting: number;
}

/** Two keys compete if both have asked for a permit within this time, in milliseconds. */
const COMPETING_MS = 1000;
/** Maximum number of permits per iteration of the event loop. Otherwise, a long queue could be granted at once. */
const GRANTS_PER_ITERATION = 64;

interface RequestPermitsOptions {
  /** Returns the maximum number of permits that a key holds while it competes with another one. */
  permitsOf: (key: string) => number;
  /** Keys that are limited even if they are alone, and that do not limit others. */
  alwaysLimited?: ReadonlySet<string>;
  /** Current time in milliseconds. */
  now?: () => number;
}

export function createRequestPermits({
  permitsOf,
  alwaysLimited = new Set(),
  now = () => performance.now(),
}: RequestPermitsOptions): RequestPermits {
  const held = new Map<string, number>();
  /** The key of each permit that was released in this iteration of the event loop. */
  const released: string[] = [];
  let scheduled = false;
  /** The last two different keys, each with the time of its last request. */
  let latest = { key: '', at: Number.NEGATIVE_INFINITY };
  let previous = latest;

  function noteRequest(key: string): void {
    if (alwaysLimited.has(key)) return;
    if (key === latest.key) latest.at = now();
    else [latest, previous] = [{ key, at: now() }, latest];
  }

  const isCompeting = (key: string): boolean =>
    now() - (key === latest.key ? previous : latest).at <= COMPETING_MS;
  const heldBy = (key: string): number => held.get(key) ?? 0;
  const queue = createFairQueue(
    ({ workspaceId: key }) => heldBy(key) < permitsOf(key) || !(alwaysLimited.has(key) || isCompeting(key)),
    ({ workspaceId: key }) => void held.set(key, heldBy(key) + 1),
  );

  /**
   * Grants released permits in the next iteration of the event loop. Otherwise, requests that never wait for I/O would
   * follow each other without a pause, and new connections would not be accepted.
   */
  function scheduleGrants(): void {
    if (scheduled) return;
    scheduled = true;
    inNextIteration(() => {
      scheduled = false;
      for (const key of released.splice(0)) {
        if (heldBy(key) > 1) held.set(key, heldBy(key) - 1);
        else held.delete(key);
      }
      if (queue.grant(GRANTS_PER_ITERATION)) scheduleGrants();
    });
  }

  return {
    get waiting() {
      return queue.size;
    },
    tryTake(owner) {
      noteRequest(owner.workspaceId);
      const isGranted = queue.tryTake(owner);
      // The key may no longer have a competitor, and so no limit.
      if (isGranted && queue.size > 0) scheduleGrants();
      return isGranted;
    },
    wait: (owner, signal) => queue.wait(owner, signal),
    release(key) {
      released.push(key);
      scheduleGrants();
    },
  };
}
