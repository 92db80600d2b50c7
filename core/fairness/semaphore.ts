import { createFairQueue } from './fair-queue.js';
import type { Owner } from './owner.js';
import { createShares, mayTakeAny, type ShareRule } from './shares.js';

/**
 * A counting semaphore. Requests without a free permit are queued round-robin by owner, or in FIFO order if they have
 * no owner.
 */
export interface Semaphore {
  /**
   * Resolves to a function that releases the permit; calling it again has no effect. Rejects with the signal's reason
   * if it aborts first.
   */
  acquire(signal?: AbortSignal, owner?: Owner): Promise<() => void>;
  /** Runs `work` with a permit, and releases the permit at the end. */
  run<T>(owner: Owner, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Resolves when all permits are free and no earlier request is waiting. */
  drain(): Promise<void>;
}

const ANYONE: Owner = { workspaceId: '', agentId: '' };

/** Creates a semaphore with `permits` permits, and `spare` more for workspaces that hold none. */
export function createSemaphore(
  permits: number,
  { spare = 0, rule = mayTakeAny }: { spare?: number; rule?: ShareRule } = {},
): Semaphore {
  const shares = createShares(permits, spare, new Map(), rule);
  const queue = createFairQueue<Owner>(
    ({ workspaceId }) => shares.mayTake(workspaceId),
    ({ workspaceId }) => shares.take(workspaceId),
  );

  async function acquire(signal?: AbortSignal, owner = ANYONE): Promise<() => void> {
    await queue.wait(owner, signal);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      shares.giveBack(owner.workspaceId);
      queue.grant();
    };
  }

  return {
    acquire,
    async run(owner, signal, work) {
      const release = await acquire(signal, owner);
      try {
        return await work();
      } finally {
        release();
      }
    },
    async drain() {
      const releases = await Promise.all(Array.from({ length: permits }, () => acquire()));
      for (const release of releases) release();
    },
  };
}
