import { LRUCache } from 'lru-cache';
import type { SegmentReads } from '../sequelize/knowledge/segment-reads.js';
import { type AgentIndex, bytesOfIndex, changed } from './agent-index.js';
import type { IndexOrigin } from './protocol.js';

export interface IndexCache {
  /** Returns the agent's index, of this version or a later one; null if the agent does not exist. */
  index(
    agentId: string,
    knowledgeVersion: number,
  ): Promise<{ index: AgentIndex; origin: IndexOrigin } | null>;
  forget(agentId: string): void;
  readonly bytes: number;
}

interface CacheOptions {
  reads: Pick<SegmentReads, 'changes'>;
  memoryBytes: number;
  /** The index alone exceeds the memory limit. */
  onTooLarge(agentId: string, bytes: number): void;
}

/** Caches the most recently used indexes and updates them on demand. */
export function createIndexCache({ reads, memoryBytes, onTooLarge }: CacheOptions): IndexCache {
  const indexes = new LRUCache<string, AgentIndex>({
    maxSize: memoryBytes,
    // An index that exceeds the limit alone is kept: reading it again for each question would be worse.
    sizeCalculation: (index) => Math.max(1, Math.min(memoryBytes, bytesOfIndex(index))),
  });
  /** Concurrent requests for one agent share a read. */
  const updates = new Map<string, Promise<AgentIndex | null>>();

  async function update(agentId: string): Promise<AgentIndex | null> {
    const before = indexes.peek(agentId) ?? null;
    const changes = await reads.changes(agentId, before);
    if (changes === null) {
      indexes.delete(agentId);
      return null;
    }
    const index = await changed(before, changes);
    const bytes = bytesOfIndex(index);
    if (bytes > memoryBytes) onTooLarge(agentId, bytes);
    indexes.set(agentId, index);
    return index;
  }

  function updated(agentId: string): Promise<AgentIndex | null> {
    const running = updates.get(agentId);
    if (running) return running;
    const started = update(agentId).finally(() => updates.delete(agentId));
    updates.set(agentId, started);
    return started;
  }

  return {
    async index(agentId, knowledgeVersion) {
      const known = indexes.get(agentId);
      if (known && known.knowledgeVersion >= knowledgeVersion) return { index: known, origin: 'warm' };
      const origin = known ? 'refreshed' : 'cold';
      // A read that began before this request may miss the requested version.
      const joined = updates.has(agentId);
      let index = await updated(agentId);
      if (joined && index !== null && index.knowledgeVersion < knowledgeVersion)
        index = await updated(agentId);
      return index && { index, origin };
    },
    forget(agentId) {
      indexes.delete(agentId);
    },
    get bytes() {
      return indexes.calculatedSize;
    },
  };
}
