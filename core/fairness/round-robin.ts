import type { Owner } from './owner.js';

/**
 * A queue that serves workspaces round-robin, the agents within a workspace round-robin, and the items of an agent in
 * FIFO order.
 */
export interface RoundRobin<T> {
  add(item: T, owner: Owner): void;
  remove(item: T, owner: Owner): void;
  /**
   * Removes and returns the next item for which `may` returns true. `inOrder` considers only the first item of each
   * agent.
   */
  take(may?: (item: T) => boolean, inOrder?: boolean): T | undefined;
  readonly size: number;
}

/** Creates an empty queue. */
export function createRoundRobin<T>(): RoundRobin<T> {
  /** Items by workspace and agent. The insertion order of both maps is the order of service. */
  const workspaces = new Map<string, Map<string, T[]>>();
  let size = 0;

  /** Removes an item. If it was served, its agent and workspace move to the end of the order. */
  function remove({ workspaceId, agentId }: Owner, at: number, isServed: boolean): void {
    const agents = workspaces.get(workspaceId);
    const items = agents?.get(agentId);
    if (!agents || !items) return;
    items.splice(at, 1);
    size -= 1;
    if (isServed || items.length === 0) agents.delete(agentId);
    if (isServed || agents.size === 0) workspaces.delete(workspaceId);
    if (items.length > 0) agents.set(agentId, items);
    if (agents.size > 0) workspaces.set(workspaceId, agents);
  }

  return {
    get size() {
      return size;
    },
    add(item, { workspaceId, agentId }) {
      const agents = workspaces.get(workspaceId) ?? new Map<string, T[]>();
      const items = agents.get(agentId) ?? [];
      items.push(item);
      agents.set(agentId, items);
      workspaces.set(workspaceId, agents);
      size += 1;
    },
    remove(item, owner) {
      const at = workspaces.get(owner.workspaceId)?.get(owner.agentId)?.indexOf(item) ?? -1;
      if (at >= 0) remove(owner, at, false);
    },
    take(may = () => true, inOrder = false) {
      for (const [workspaceId, agents] of workspaces) {
        for (const [agentId, items] of agents) {
          const at = (inOrder ? items.slice(0, 1) : items).findIndex(may);
          const item = items[at];
          if (item === undefined) continue;
          remove({ workspaceId, agentId }, at, true);
          return item;
        }
      }
      return undefined;
    },
  };
}
