import { Worker } from 'node:worker_threads';
import { type SourceType, sourceTypes } from '../../core/knowledge/sources/source-types.js';
import type { RetrievalPlugin } from '../../core/ports/plugin.port.js';
import type { Retrieval, SearchAnswer, SearchHit, SearchRequest } from '../../core/ports/retrieval.port.js';
import { termHash } from '../../core/retrieval/analysis/term-hash.js';
import type { RankedChunk } from '../../core/retrieval/index/best-chunks.js';
import type { RankRequest } from '../../core/retrieval/index/rank.js';
import type { ThreadOptions, ThreadResult } from './protocol.js';
import { createThreadHost } from './thread-host.js';

const fromSource = import.meta.url.endsWith('.ts');
const file = new URL(fromSource ? './from-source.mjs' : './search.thread.js', import.meta.url);

/**
 * The embedded default: BM25 over one index per agent. A thread merges each index on demand from the segments in the
 * database and caches it. The thread reads the database itself, so its results are always current.
 */
export const bm25: RetrievalPlugin<object> = {
  name: 'bm25',
  kind: 'retrieval',
  contract: 1,
  optionsSchema: { type: 'object', additionalProperties: false, properties: {} },
  async start({ log, database }) {
    if (database === undefined)
      throw new Error('the built-in search engine needs the database of the API process');
    const { memoryBytes, vectorBytes, ...connection } = database;
    const workerData: ThreadOptions = { database: connection, memoryBytes, vectorBytes };
    const host = createThreadHost({ launch: () => new Worker(file, { workerData }), log });
    let memory = 0;
    const port: Retrieval = {
      feed: null,
      async search(request) {
        const { id, knowledgeVersion } = request.agent;
        const result = await host.request({
          kind: 'search',
          agentId: id,
          knowledgeVersion,
          rank: rankRequest(request),
        });
        if (result === null) return nothingOf(request);
        memory = result.indexBytes;
        return searchAnswerOf(result);
      },
      async nearest({ agent, sourceTypes, ...request }) {
        const found = await host.request({
          kind: 'nearest',
          ...request,
          agentId: agent.id,
          knowledgeVersion: agent.knowledgeVersion,
          sourceTypes: numbersOf(sourceTypes),
        });
        return found?.map(hitOf) ?? null;
      },
      async forget(agentId) {
        await host.request({ kind: 'forget', agentId });
      },
      health: async () => ({ ok: true }),
      memory: () => memory,
    };
    return { port, stop: () => host.close() };
  },
};

const rankRequest = ({ terms, limit, sourceTypes: wanted }: SearchRequest): RankRequest => ({
  terms: {
    hashes: Uint32Array.from(terms, ({ term }) => termHash(term)),
    weights: Float64Array.from(terms, ({ weight }) => weight),
  },
  limit,
  sourceTypes: numbersOf(wanted),
});

const numbersOf = (wanted: readonly SourceType[] | null): number[] | null =>
  wanted?.map((type) => sourceTypes.indexOf(type)) ?? null;

const hitOf = ({ sourceType, ...hit }: RankedChunk): SearchHit => ({
  ...hit,
  sourceType: sourceTypes[sourceType] as SourceType,
});

const searchAnswerOf = ({ ranking, documents, knowledgeVersion, origin }: ThreadResult): SearchAnswer => ({
  hits: ranking.chunks.map(hitOf),
  chunks: ranking.size,
  frequencies: ranking.frequencies,
  documents,
  knowledgeVersion,
  origin,
});

/** Returns an empty result, because the agent was deleted during the search. */
const nothingOf = ({ agent, terms }: SearchRequest): SearchAnswer => ({
  hits: [],
  chunks: 0,
  frequencies: terms.map(() => 0),
  documents: 0,
  knowledgeVersion: agent.knowledgeVersion,
});
