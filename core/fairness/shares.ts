import type { Owner } from './owner.js';

interface Permits {
  /** Permits that the workspace holds. */
  held: number;
  /** Free permits; negative while spare ones are in use. */
  free: number;
  spare: number;
}

/** Decides whether a workspace may take another permit. Spare permits are for workspaces that hold none. */
export type ShareRule = (permits: Permits) => boolean;

/** Grants permits while there are any. */
export const mayTakeAny: ShareRule = ({ held, free, spare }) => (held === 0 ? free + spare > 0 : free > 0);

/**
 * Grants a permit if the workspace holds fewer than are free. A single workspace gets half of the permits, two get a
 * third each, and a newcomer finds a free one however long the work of the others takes.
 */
export const mayTakeShare: ShareRule = ({ held, free, spare }) =>
  held === 0 ? free + spare > 0 : held < free;

/**
 * Returns how many permits a workspace may take under `mayTakeShare`. With a `reserveFactor` above 1, it stops that much
 * earlier and leaves the rest of its share to others.
 */
export function roomFor({ held, free, spare }: Permits, reserveFactor = 1): number {
  let room = 0;
  while (mayTakeShare({ held: (held + room) * reserveFactor, free: free - room, spare })) room += 1;
  return room;
}

/** Counts the permits that each workspace holds. */
export interface Shares {
  /** Returns whether the workspace may take another permit now. */
  mayTake(workspaceId: string): boolean;
  take(workspaceId: string): void;
  giveBack(workspaceId: string): void;
  /** Returns the workspaces that hold their whole share. */
  full(): string[];
  /** Returns whether a workspace without a permit would get one. */
  hasRoom(): boolean;
}

/** Divides `count` permits, and `spare` more, among workspaces. Those in `taken` hold some already. */
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
 * Takes permits for agents round-robin, at most `perAgent` for each, and returns how many each agent got. Agents that got
 * none are left out.
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
