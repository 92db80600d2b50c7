/*
 * Shares places among parties whose number nobody knows. Each may take one more as long as it holds fewer than are
 * free. So one owner alone gets half of the places, two get a third each once places have changed hands, and nobody
 * can fill them all, however long its work lasts. Where several hold places, spare ones are for those that hold none.
 */

interface Places {
  /** Places that the owner holds. */
  held: number;
  /** Places that nobody holds; below zero while spare ones are taken. */
  free: number;
  spare: number;
}

/** Whether the owner may take another one. */
export const mayTake = ({ held, free, spare }: Places): boolean =>
  held === 0 ? free + spare > 0 : held < free;

/**
 * How many places a owner may take, one after the other. With `modesty` above 1 it stops that much earlier,
 * and leaves the rest of its share to be handed out in order.
 */
export function roomFor({ held, free, spare }: Places, modesty = 1): number {
  let room = 0;
  while (mayTake({ held: (held + room) * modesty, free: free - room, spare })) room += 1;
  return room;
}

/** Counts how many of a number of places each workspace holds. */
export interface Shares {
  /** Whether the workspace may take another place now. */
  mayTake(workspaceId: string): boolean;
  take(workspaceId: string): void;
  giveBack(workspaceId: string): void;
  /** Workspaces that hold their whole share. */
  full(): string[];
  /** False if a workspace without a place would not get one either. */
  hasRoom(): boolean;
}

/**
 * Shares `count` places, of which the workspaces in `taken` hold some already. `spare` more are reserved for workspaces
 * that hold none.
 */
export function createShares(
  count: number,
  spare: number,
  taken: ReadonlyMap<string, number> = new Map(),
): Shares {
  const held = new Map(taken);
  let free = count - [...held.values()].reduce((sum, n) => sum + n, 0);
  const heldBy = (workspaceId: string): number => held.get(workspaceId) ?? 0;
  const may = (n: number): boolean => mayTake({ held: n, free, spare });
  return {
    mayTake: (workspaceId) => may(heldBy(workspaceId)),
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
    full: () => [...held].filter(([, n]) => !may(n)).map(([workspaceId]) => workspaceId),
    hasRoom: () => may(0),
  };
}
