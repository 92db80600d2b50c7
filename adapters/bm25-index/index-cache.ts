import { LRUCache } from 'lru-cache';
import type { SegmentReads } from '../sequelize/knowledge/segment-reads.js';
import { type AgentIndex, bytesOfIndex, changed } from './agent-index.js';
import type { IndexOrigin } from './protocol.js';

export interface IndexCache {
  /** The agent's index, of this version or a later one. null when there is no such agent. */
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
  /** An index alone takes more than all are meant to. */
  onTooLarge(agentId: string, bytes: number): void;
}

/** Keeps the indexes that were asked last, and brings them up to date when they are asked. */
export function createIndexCache({ reads, memoryBytes, onTooLarge }: CacheOptions): IndexCache {
  const indexes = new LRUCache<string, AgentIndex>({
    maxSize: memoryBytes,
    // One that is too large alone is kept alone: to read it for every question would help nobody.
    sizeCalculation: (index) => Math.max(1, Math.min(memoryBytes, bytesOfIndex(index))),
  });
  /** One reads, all others that ask for the same agent wait for it. */
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
      // A read that was under way before we came may have looked before our version was there.
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
