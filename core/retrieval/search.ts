import {
  type AskedAgent,
  type Retrieval,
  RetrievalUnavailable,
  type SearchAnswer,
  type SearchHit,
  type SearchRequest,
} from '../ports/retrieval.port.js';
import type { Stretch, StretchReads } from '../ports/store/stretches.js';
import { inSpan } from '../ports/trail.js';

/** A hit with what stands there. */
export interface FoundChunk {
  hit: SearchHit;
  stretch: Stretch;
}

export interface SearchResult {
  /** Best first. */
  found: FoundChunk[];
  answer: SearchAnswer;
}

export type Search = (request: SearchRequest) => Promise<SearchResult>;

/** When documents change faster than they can be read, the hits that held are the answer. */
const TRIES = 3;

/**
 * Ranks, then reads what was ranked. When a document has changed in between, the search runs once more, so
 * nothing is shown under an old rank. Rejects with RetrievalUnavailable or StoreUnavailable.
 */
export function createSearch(retrieval: Pick<Retrieval, 'search'>, reads: StretchReads): Search {
  const search: Search = async (request) => {
    let agent: AskedAgent = request.agent;
    for (let tries = 1; ; tries++) {
      const answer = await retrieval.search({ ...request, agent }).catch(unavailable);
      const found = await readHits(reads, agent.id, answer.hits);
      if (found.length === answer.hits.length || tries === TRIES) return { found, answer };
      agent = { ...agent, ...(await reads.knowledge(agent.id)) };
    }
  };
  return (request) =>
    inSpan('search', 'internal', async (span) => {
      const result = await search(request);
      span?.set({ 'cadre.search.hits': result.found.length });
      return result;
    });
}

/** A plugin has no class of ours to throw, and its driver has classes of its own. */
function unavailable(cause: unknown): never {
  if (cause instanceof RetrievalUnavailable) throw cause;
  throw new RetrievalUnavailable('the search engine gave no answer', { cause });
}

/** The hits whose documents are as they were when they were ranked. */
async function readHits(
  reads: StretchReads,
  agentId: string,
  hits: readonly SearchHit[],
): Promise<FoundChunk[]> {
  const ranges = hits.map(({ documentId, chunk }) => ({ documentId, first: chunk, last: chunk }));
  const stretches = await reads.stretches(agentId, ranges);
  return hits.flatMap((hit, n) => {
    const stretch = stretches[n];
    return stretch && stretch.version === hit.version ? [{ hit, stretch }] : [];
  });
}
