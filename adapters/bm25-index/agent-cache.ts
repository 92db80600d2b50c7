import { LRUCache } from 'lru-cache';
import type { Origin } from './protocol.js';

/** A cache with one value per agent, updated on demand. */
export interface AgentCache<V> {
  /**
   * Returns the agent's value, after an update if it is not current. Returns null if the update does; the cached
   * value then stays for the next update. Concurrent requests for one agent share an update.
   */
  get(
    agentId: string,
    isCurrent: (value: V) => boolean,
    update: (before: V | null) => Promise<V | null>,
  ): Promise<{ value: V; origin: Origin } | null>;
  forget(agentId: string): void;
  readonly bytes: number;
}

/** Creates an LRU cache of at most `memoryBytes`. A single value that exceeds the limit is kept alone. */
export function createAgentCache<V extends object>(
  memoryBytes: number,
  bytesOf: (value: V) => number,
): AgentCache<V> {
  const values = new LRUCache<string, V>({
    maxSize: memoryBytes,
    // Cap the size, so that a value above the limit is kept: reading it again for each question would be worse.
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
      // An update that began before this request may lack the requested version.
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
