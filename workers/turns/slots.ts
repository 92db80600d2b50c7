import type { Party } from '../../core/tasks/party.js';
import { createShares } from '../../core/tasks/share.js';
import { createWaitingRoom } from '../../core/tasks/waiting-room.js';

/**
 * A queue for work that needs a slot and nothing else. Workspaces take turns; `spare` slots more than `count` are
 * reserved for workspaces that hold none.
 */
export const createSlotLine = (count: number, spare = 0) => {
  const slots = createShares(count, spare);
  const room = createWaitingRoom<Party>(
    ({ workspaceId }) => slots.mayTake(workspaceId),
    ({ workspaceId }) => slots.take(workspaceId),
  );
  return {
    /** Runs `work` in a slot. Rejects as it does, or with the signal's reason if that is aborted first. */
    async run<T>(party: Party, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      await room.enter(party, signal);
      try {
        return await work();
      } finally {
        slots.giveBack(party.workspaceId);
        room.look();
      }
    },
  };
};
