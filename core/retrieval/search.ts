import {
  type AskedAgent,
  type Retrieval,
  RetrievalUnavailable,
  type SearchAnswer,
  type SearchHit,
  type SearchRequest,
} from '../ports/retrieval.port.js';
import type { Excerpt, ExcerptReads } from '../ports/store/knowledge/excerpts.js';
import { inSpan } from '../tracing/trail.js';

/** A hit with the text of its chunk. */
export interface FoundChunk {
  hit: SearchHit;
  excerpt: Excerpt;
}

export interface SearchResult {
  found: FoundChunk[];
  ranked: SearchAnswer;
}

/** Searches an agent's chunks. `known` are hits of an earlier search, whose texts are not read again. */
export type Search = (request: SearchRequest, known?: readonly FoundChunk[]) => Promise<SearchResult>;

/** Maximum number of attempts. The last attempt returns only the hits that are still current. */
const TRIES = 3;

/**
 * Creates a search that ranks chunks, then reads their texts. If a document changes in between, it searches again, so
 * that each text matches its rank. The search rejects with RetrievalUnavailable or StoreUnavailable.
 */
export function createSearch(retrieval: Pick<Retrieval, 'search'>, reads: ExcerptReads): Search {
  const search: Search = async (request, known = []) => {
    let agent: AskedAgent = request.agent;
    for (let tries = 1; ; tries++) {
      const ranked = await retrieval.search({ ...request, agent }).catch(unavailable);
      const found = await readHits(reads, agent.id, ranked.hits, known);
      if (found.length === ranked.hits.length || tries === TRIES) return { found, ranked };
      agent = { ...agent, ...(await reads.knowledge(agent.id)) };
    }
  };
  return (request, known) =>
    inSpan('search', 'internal', async (span) => {
      const result = await search(request, known);
      span?.set({ 'cadre.search.hits': result.found.length });
      return result;
    });
}

/** Wraps errors of plugins and their drivers, which do not use our error class. */
function unavailable(cause: unknown): never {
  if (cause instanceof RetrievalUnavailable) throw cause;
  throw new RetrievalUnavailable('the search engine failed', { cause });
}

/** Returns the hits whose documents have not changed since they were ranked. */
async function readHits(
  reads: ExcerptReads,
  agentId: string,
  hits: readonly SearchHit[],
  known: readonly FoundChunk[],
): Promise<FoundChunk[]> {
  const excerpts = new Map<string, Excerpt | null | undefined>(
    known.map(({ hit, excerpt }) => [keyOf(hit), excerpt]),
  );
  const unread = hits.filter((hit) => !excerpts.has(keyOf(hit)));
  const ranges = unread.map(({ documentId, chunk }) => ({ documentId, first: chunk, last: chunk }));
  const read = ranges.length === 0 ? [] : await reads.excerpts(agentId, ranges);
  for (const [n, hit] of unread.entries()) excerpts.set(keyOf(hit), read[n]);
  return hits.flatMap((hit) => {
    const excerpt = excerpts.get(keyOf(hit));
    return excerpt && excerpt.version === hit.version ? [{ hit, excerpt }] : [];
  });
}

/** The version is a part of the key, because it changes with the document's content. */
const keyOf = ({ documentId, version, chunk }: SearchHit): string => `${documentId} ${version} ${chunk}`;
