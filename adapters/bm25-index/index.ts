import { Worker } from 'node:worker_threads';
import { type SourceType, sourceTypes } from '../../core/knowledge/source-types.js';
import type { RetrievalPlugin } from '../../core/ports/plugin.port.js';
import {
  type Retrieval,
  RetrievalUnavailable,
  type SearchAnswer,
  type SearchRequest,
} from '../../core/ports/retrieval.port.js';
import { termHash } from '../../core/retrieval/analysis/term-hash.js';
import type { RankRequest } from '../../core/retrieval/index/rank.js';
import type { ThreadAnswer, ThreadOptions } from './protocol.js';
import { createThreadHost, type ThreadHost } from './thread-host.js';

const fromSource = import.meta.url.endsWith('.ts');
const file = new URL(fromSource ? './from-source.mjs' : './search.thread.js', import.meta.url);

type Attach = (options: ThreadOptions) => void;
const attachments = new WeakMap<Retrieval, Attach>();

/**
 * The embedded default: BM25 over an index of each agent that is asked, merged from the segments in the database and kept in the memory of
 * one thread. It reads the database itself and is never behind it.
 */
export const bm25: RetrievalPlugin<object> = {
  name: 'bm25',
  kind: 'retrieval',
  contract: 1,
  optionsSchema: { type: 'object', additionalProperties: false, properties: {} },
  async start({ log }) {
    let host: ThreadHost | null = null;
    let memory = 0;
    const thread = (): ThreadHost => {
      if (host === null) throw new RetrievalUnavailable('retrieval has no database yet');
      return host;
    };
    const port: Retrieval = {
      feed: null,
      async search(request) {
        const { id, knowledgeVersion } = request.agent;
        const answer = await thread().ask({
          kind: 'search',
          agentId: id,
          knowledgeVersion,
          rank: rankRequest(request),
        });
        if (answer === null) return nothingOf(request);
        memory = answer.indexBytes;
        return searchAnswer(answer);
      },
      async forget(agentId) {
        await thread().ask({ kind: 'forget', agentId });
      },
      health: async () => (host === null ? { ok: false, reason: 'not started' } : { ok: true }),
      memory: () => memory,
    };
    attachments.set(port, (options) => {
      host = createThreadHost({ launch: () => new Worker(file, { workerData: options }), log });
    });
    return { port, stop: async () => host?.close() };
  },
};

/** Tells the embedded engine which database its thread reads; other engines need none. */
export const attachDatabase = (port: Retrieval, options: ThreadOptions): void =>
  attachments.get(port)?.(options);

const rankRequest = ({ terms, limit, sourceTypes: wanted }: SearchRequest): RankRequest => ({
  terms: terms.map(({ term, weight }) => ({ hash: termHash(term), weight })),
  limit,
  sourceTypes: wanted?.map((type) => sourceTypes.indexOf(type)) ?? null,
});

const searchAnswer = ({ ranking, documents, knowledgeVersion, origin }: ThreadAnswer): SearchAnswer => ({
  hits: ranking.chunks.map(({ sourceType, ...hit }) => ({
    ...hit,
    sourceType: sourceTypes[sourceType] as SourceType,
  })),
  chunks: ranking.size,
  frequencies: ranking.frequencies,
  documents,
  knowledgeVersion,
  origin,
});

/** The agent was deleted while it was asked. */
const nothingOf = ({ agent, terms }: SearchRequest): SearchAnswer => ({
  hits: [],
  chunks: 0,
  frequencies: terms.map(() => 0),
  documents: 0,
  knowledgeVersion: agent.knowledgeVersion,
});
