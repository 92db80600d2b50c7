import { LRUCache } from 'lru-cache';
import {
  bytesOfVectors,
  noVectors,
  type VectorIndex,
  vectorIndex,
} from '../../core/retrieval/vectors/vector-index.js';
import type { SegmentReads } from '../sequelize/knowledge/segment-reads.js';

interface AgentVectors {
  space: string;
  knowledgeVersion: number;
  removals: number;
  index: VectorIndex;
}

export interface VectorCache {
  /** Returns all vectors of the agent at this version or later; null if some are missing or differ in length. */
  vectors(agentId: string, space: string, knowledgeVersion: number): Promise<VectorIndex | null>;
  forget(agentId: string): void;
}

/** Caches the most recently used vectors, within `memoryBytes`; an agent that exceeds the limit alone is kept alone. */
export function createVectorCache(reads: Pick<SegmentReads, 'vectors'>, memoryBytes: number): VectorCache {
  const agents = new LRUCache<string, AgentVectors>({
    maxSize: memoryBytes,
    sizeCalculation: ({ index }) => Math.max(1, Math.min(memoryBytes, bytesOfVectors(index))),
  });
  /** Concurrent requests for one agent share a read. */
  const updates = new Map<string, Promise<AgentVectors | null>>();

  async function update(agentId: string, space: string): Promise<AgentVectors | null> {
    const held = agents.peek(agentId);
    const before = held?.space === space ? held : null;
    const changes = await reads.vectors(agentId, space, before);
    if (changes === null) return null;
    const { documents, present, knowledgeVersion, removals } = changes;
    const replaced = new Set(documents.map(({ id }) => id));
    const index = vectorIndex(
      before?.index ?? noVectors,
      ({ id }) => !replaced.has(id) && present?.has(id) !== false,
      documents,
    );
    if (index === null) return null;
    const vectors = { space, knowledgeVersion, removals, index };
    agents.set(agentId, vectors);
    return vectors;
  }

  function updated(agentId: string, space: string): Promise<AgentVectors | null> {
    const running = updates.get(agentId);
    if (running) return running;
    const started = update(agentId, space).finally(() => updates.delete(agentId));
    updates.set(agentId, started);
    return started;
  }

  return {
    async vectors(agentId, space, knowledgeVersion) {
      const known = agents.get(agentId);
      if (known?.space === space && known.knowledgeVersion >= knowledgeVersion) return known.index;
      const isEnough = (found: AgentVectors | null): found is AgentVectors =>
        found?.space === space && found.knowledgeVersion >= knowledgeVersion;
      // A read that began before this request may miss the requested version.
      const joined = updates.has(agentId);
      let found = await updated(agentId, space);
      if (joined && !isEnough(found)) found = await updated(agentId, space);
      return isEnough(found) ? found.index : null;
    },
    forget(agentId) {
      agents.delete(agentId);
    },
  };
}
