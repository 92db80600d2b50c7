import type { Owner } from './owner.js';

interface Permits {
  /** Permits that the workspace holds. */
  held: number;
  /** Free permits; negative while spare ones are in use. */
  free: number;
  spare: number;
}

/**
 * Returns whether a workspace may take another permit. Spare permits are reserved for workspaces without a permit.
 */
export type ShareRule = (permits: Permits) => boolean;

/** Grants a permit while there are free ones. */
export const mayTakeAny: ShareRule = ({ held, free, spare }) => (held === 0 ? free + spare > 0 : free > 0);

/**
 * Grants a permit if the workspace holds fewer permits than are free. A single workspace gets half of the permits,
 * two workspaces get a third each, and another workspace always finds a free permit, even while their work runs for
 * long.
 */
export const mayTakeShare: ShareRule = ({ held, free, spare }) =>
  held === 0 ? free + spare > 0 : held < free;

/**
 * Returns how many permits a workspace may take under `mayTakeShare`. Each permit of the workspace counts
 * `reserveFactor` times, so a factor above 1 leaves a part of its share to other workspaces.
 */
export function roomFor({ held, free, spare }: Permits, reserveFactor = 1): number {
  let room = 0;
  while (mayTakeShare({ held: (held + room) * reserveFactor, free: free - room, spare })) room += 1;
  return room;
}

/** Permits divided among workspaces. */
export interface Shares {
  /** Returns whether the workspace may take another permit now. */
  mayTake(workspaceId: string): boolean;
  take(workspaceId: string): void;
  giveBack(workspaceId: string): void;
  /** Returns the workspaces that hold permits and may not take another. */
  full(): string[];
  /** Returns whether a workspace without a permit may take one now. */
  hasRoom(): boolean;
}

/** Creates shares of `count` permits, and of `spare` more. `taken` are the permits that workspaces already hold. */
export function createShares(
  count: number,
  spare: number,
  taken: ReadonlyMap<string, number> = new Map(),
  rule: ShareRule = mayTakeShare,
): Shares {
  const held = new Map(taken);
  let free = count - [...held.values()].reduce((sum, n) => sum + n, 0);
  const heldBy = (workspaceId: string): number => held.get(workspaceId) ?? 0;
  const may = (n: number): boolean => rule({ held: n, free, spare });
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

/**
 * Takes permits for agents round-robin, at most `perAgent` for each agent. Returns the number of permits by agent,
 * without agents that got none.
 */
export function distribute(agents: readonly Owner[], shares: Shares, perAgent: number): Map<string, number> {
  const permits = new Map<string, number>();
  for (let round = 1; round <= perAgent; round += 1) {
    const served = agents.filter(({ agentId, workspaceId }) => {
      if (!shares.mayTake(workspaceId)) return false;
      shares.take(workspaceId);
      permits.set(agentId, round);
      return true;
    });
    if (served.length === 0) break;
  }
  return permits;
}
