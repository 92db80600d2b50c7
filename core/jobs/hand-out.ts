import type { AgentInLine } from '../ports/store/sweeps.js';
import { createFairLine } from '../tasks/fair-line.js';
import { mayTake } from '../tasks/share.js';

/** What is under way in the window of all, and what is left of it. */
export interface Shares {
  /** False when the workspace has its share. */
  mayTake(workspaceId: string): boolean;
  take(workspaceId: string): void;
  /** Workspaces that have their share. */
  full(): string[];
  /** False when not even one that has nothing under way may take a place. */
  hasRoom(): boolean;
}

/** `underWay` are the tasks of each workspace that have a place now. */
export const sharesOf = (underWay: ReadonlyMap<string, number>, window: number): Shares => {
  const held = new Map(underWay);
  let free = window - [...held.values()].reduce((sum, n) => sum + n, 0);
  const heldBy = (workspaceId: string): number => held.get(workspaceId) ?? 0;
  const may = (n: number): boolean => mayTake({ held: n, free, spare: window });
  return {
    mayTake: (workspaceId) => may(heldBy(workspaceId)),
    take(workspaceId) {
      held.set(workspaceId, heldBy(workspaceId) + 1);
      free -= 1;
    },
    full: () => [...held].filter(([, n]) => !may(n)).map(([workspaceId]) => workspaceId),
    hasRoom: () => may(0),
  };
};

/**
 * How many places each waiting agent gets, at most `mostOfAgent`: handed out one by one, workspaces and
 * agents taking turns, while the shares allow it. Agents that get none are left out.
 */
export function handOut(
  waiting: readonly AgentInLine[],
  shares: Shares,
  mostOfAgent: number,
): Map<string, number> {
  const line = createFairLine<AgentInLine>();
  for (const agent of waiting) line.add(agent, agent);
  const places = new Map<string, number>();
  const may = ({ workspaceId }: AgentInLine) => shares.mayTake(workspaceId);
  for (let agent = line.take(may); agent !== undefined; agent = line.take(may)) {
    const own = (places.get(agent.agentId) ?? 0) + 1;
    places.set(agent.agentId, own);
    shares.take(agent.workspaceId);
    if (own < mostOfAgent) line.add(agent, agent);
  }
  return places;
}
