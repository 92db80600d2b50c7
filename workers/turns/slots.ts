import type { Owner } from '../../core/fairness/owner.js';
import { createShares } from '../../core/tasks/share.js';
import { createWaitingRoom } from '../../core/tasks/waiting-room.js';

/**
 * A queue for work that needs a slot and nothing else. Workspaces take turns; `spare` slots more than `count` are
 * reserved for workspaces that hold none.
 */
export const createSlotLine = (count: number, spare = 0) => {
  const slots = createShares(count, spare);
  const room = createWaitingRoom<Owner>(
    ({ workspaceId }) => slots.mayTake(workspaceId),
    ({ workspaceId }) => slots.take(workspaceId),
  );
  return {
    /** Runs `work` in a slot. Rejects as it does, or with the signal's reason if that is aborted first. */
    async run<T>(owner: Owner, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      await room.enter(owner, signal);
      try {
        return await work();
      } finally {
        slots.giveBack(owner.workspaceId);
        room.look();
      }
    },
  };
};
