import { randomUUID } from 'node:crypto';
import { chunkText } from '../../core/knowledge/text/chunk-text.js';
import type { KnowledgeState } from '../../core/ports/retrieval.port.js';
import type { KnowledgeReads, KnownDocument } from '../../core/ports/store/knowledge/knowledge-reads.js';

interface KnownAgent {
  knowledgeVersion: number;
  removals: number;
  documents: Map<string, KnownDocument>;
}

/** The documents of agents in memory; replaces the database for feeding an engine. */
export interface Knowledge {
  reads: KnowledgeReads;
  create(): string;
  /** Adds or replaces a text snippet; returns its id. */
  write(agentId: string, document: { title: string; text: string }, id?: string): string;
  remove(agentId: string, documentId: string): void;
  delete(agentId: string): void;
  state(agentId: string): KnowledgeState;
}

export function knowledgeInMemory(): Knowledge {
  const agents = new Map<string, KnownAgent>();
  const agentOf = (id: string): KnownAgent => {
    const agent = agents.get(id);
    if (agent === undefined) throw new Error(`no agent ${id}`);
    return agent;
  };
  const stateOf = (id: string, { knowledgeVersion, removals }: KnownAgent): KnowledgeState => ({
    id,
    knowledgeVersion,
    removals,
  });

  return {
    create() {
      const id = randomUUID();
      agents.set(id, { knowledgeVersion: 0, removals: 0, documents: new Map() });
      return id;
    },
    write(agentId, { title, text }, id = randomUUID()) {
      const agent = agentOf(agentId);
      agent.knowledgeVersion += 1;
      const version = agent.knowledgeVersion;
      agent.documents.set(id, {
        id,
        version,
        sourceType: 'text_snippet',
        title,
        text,
        chunks: chunkText(text),
      });
      return id;
    },
    remove(agentId, documentId) {
      const agent = agentOf(agentId);
      if (!agent.documents.delete(documentId)) return;
      agent.knowledgeVersion += 1;
      agent.removals += 1;
    },
    delete: (agentId) => void agents.delete(agentId),
    state: (agentId) => stateOf(agentId, agentOf(agentId)),
    reads: {
      states: async (after, limit) =>
        [...agents]
          .filter(([id]) => id > after)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(0, limit)
          .map(([id, agent]) => stateOf(id, agent)),
      changed: async (agentId, after, upTo, limit) =>
        [...(agents.get(agentId)?.documents.values() ?? [])]
          .filter(({ version }) => version > after && version <= upTo)
          .sort((a, b) => a.version - b.version)
          .slice(0, limit)
          .map(({ id, version }) => ({ documentId: id, version })),
      document: async (agentId, documentId) => agents.get(agentId)?.documents.get(documentId) ?? null,
      documentIds: async (agentId) => [...(agents.get(agentId)?.documents.keys() ?? [])],
    },
  };
}
