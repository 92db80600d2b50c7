import { LRUCache } from 'lru-cache';
import type { Origin } from './protocol.js';

/** Data of agents, updated on demand. */
export interface AgentCache<V> {
  /**
   * Returns the agent's value, and updates it unless it is current. Null if the update returns null, which
   * leaves the cached value for the next update. Concurrent requests for one agent share an update.
   */
  get(
    agentId: string,
    isCurrent: (value: V) => boolean,
    update: (before: V | null) => Promise<V | null>,
  ): Promise<{ value: V; origin: Origin } | null>;
  forget(agentId: string): void;
  readonly bytes: number;
}

/** Keeps the most recently used values within `memoryBytes`. A value that exceeds the limit alone is kept alone. */
export function createAgentCache<V extends object>(
  memoryBytes: number,
  bytesOf: (value: V) => number,
): AgentCache<V> {
  const values = new LRUCache<string, V>({
    maxSize: memoryBytes,
    // Reading it again for each question would be worse than exceeding the limit.
    sizeCalculation: (value) => Math.max(1, Math.min(memoryBytes, bytesOf(value))),
  });
  const updates = new Map<string, Promise<V | null>>();

  type Update = (before: V | null) => Promise<V | null>;

  async function run(agentId: string, update: Update): Promise<V | null> {
    const value = await update(values.peek(agentId) ?? null);
    if (value !== null) values.set(agentId, value);
    return value;
  }

  function updated(agentId: string, update: Update): Promise<V | null> {
    const running = updates.get(agentId);
    if (running) return running;
    const started = run(agentId, update).finally(() => updates.delete(agentId));
    updates.set(agentId, started);
    return started;
  }

  return {
    async get(agentId, isCurrent, update) {
      const known = values.get(agentId);
      if (known && isCurrent(known)) return { value: known, origin: 'warm' };
      // An update that began before this request may miss the requested version.
      const joined = updates.has(agentId);
      let value = await updated(agentId, update);
      if (joined && !(value && isCurrent(value))) value = await updated(agentId, update);
      return value && { value, origin: known ? 'refreshed' : 'cold' };
    },
    forget(agentId) {
      values.delete(agentId);
    },
    get bytes() {
      return values.calculatedSize;
    },
  };
}
