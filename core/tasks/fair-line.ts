import type { Owner } from '../fairness/owner.js';

/**
 * The order of those who wait: workspaces take turns, then the agents of a workspace; within an agent,
 * first come, first served.
 */
export interface FairLine<T> {
  add(item: T, owner: Owner): void;
  /** False when it is not (any more) in the line. */
  remove(item: T, owner: Owner): boolean;
  /** Takes the next one that `may` go out of the line; its agent and its workspace go to the back. */
  take(may?: (item: T) => boolean): T | undefined;
  /** What `take` would give now. */
  peek(): T | undefined;
  /** How many of this workspace are in it. */
  sizeOf(workspaceId: string): number;
  readonly size: number;
}

type Lanes<T> = Map<string, Map<string, T[]>>;

export const createFairLine = <T>(): FairLine<T> => {
  // Insertion order is the ring: a owner that was served goes to its end.
  const workspaces: Lanes<T> = new Map();
  let size = 0;

  const moveToBack = <V>(ring: Map<string, V>, key: string, value: V): void => {
    ring.delete(key);
    ring.set(key, value);
  };

  const drop = ({ workspaceId, agentId }: Owner, at: number): void => {
    const agents = workspaces.get(workspaceId);
    const lane = agents?.get(agentId);
    lane?.splice(at, 1);
    size -= 1;
    if (lane?.length === 0) agents?.delete(agentId);
    if (agents?.size === 0) workspaces.delete(workspaceId);
  };

  return {
    add(item, { workspaceId, agentId }) {
      const agents = workspaces.get(workspaceId) ?? new Map<string, T[]>();
      const lane = agents.get(agentId) ?? [];
      lane.push(item);
      agents.set(agentId, lane);
      workspaces.set(workspaceId, agents);
      size += 1;
    },

    remove(item, owner) {
      const at = workspaces.get(owner.workspaceId)?.get(owner.agentId)?.indexOf(item) ?? -1;
      if (at < 0) return false;
      drop(owner, at);
      return true;
    },

    take(may = () => true) {
      for (const [workspaceId, agents] of workspaces) {
        for (const [agentId, lane] of agents) {
          const at = lane.findIndex(may);
          const item = lane[at];
          if (item === undefined) continue;
          moveToBack(agents, agentId, lane);
          moveToBack(workspaces, workspaceId, agents);
          drop({ workspaceId, agentId }, at);
          return item;
        }
      }
      return undefined;
    },

    peek() {
      for (const agents of workspaces.values()) for (const lane of agents.values()) return lane[0];
      return undefined;
    },

    sizeOf(workspaceId) {
      let count = 0;
      for (const lane of workspaces.get(workspaceId)?.values() ?? []) count += lane.length;
      return count;
    },

    get size() {
      return size;
    },
  };
};
