import type { Party } from '../../core/tasks/party.js';
import { mayTake } from '../../core/tasks/share.js';
import { createWaitingRoom } from '../../core/tasks/waiting-room.js';

/** A number of slots, and how many of them each workspace holds. */
export interface Slots {
  /** Whether the workspace's share allows another one now. */
  mayTake(workspaceId: string): boolean;
  take(workspaceId: string): void;
  giveBack(workspaceId: string): void;
}

/** `spare` slots are for workspaces that hold none, when all others are taken. */
export const createSlots = (count: number, spare: number): Slots => {
  const held = new Map<string, number>();
  let free = count;
  const heldBy = (workspaceId: string): number => held.get(workspaceId) ?? 0;
  return {
    mayTake: (workspaceId) => mayTake({ held: heldBy(workspaceId), free, spare }),
    take(workspaceId) {
      free -= 1;
      held.set(workspaceId, heldBy(workspaceId) + 1);
    },
    giveBack(workspaceId) {
      free += 1;
      const left = heldBy(workspaceId) - 1;
      if (left > 0) held.set(workspaceId, left);
      else held.delete(workspaceId);
    },
  };
};

/** Work that needs a slot and nothing else: waits for one by turns. There are no spare ones. */
export const createSlotLine = (count: number) => {
  const slots = createSlots(count, 0);
  const room = createWaitingRoom<Party>(
    ({ workspaceId }) => slots.mayTake(workspaceId),
    ({ workspaceId }) => slots.take(workspaceId),
  );
  return {
    /** Runs `work` in a slot. Rejects as it does, or with the reason of the signal when that is aborted before. */
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
