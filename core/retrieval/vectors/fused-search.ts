import { LRUCache } from 'lru-cache';
import type { Embedding, EmbeddingModel } from '../../ports/embedding.port.js';
import type { Log } from '../../ports/log.port.js';
import type { AskedAgent, Retrieval, SearchAnswer, SearchRequest } from '../../ports/retrieval.port.js';
import { unitVector } from '../../tasks/vector-block.js';
import { fuse } from './fuse.js';

/** How a search went that might have gone by vectors, too. */
export type FusionOutcome =
  /** By words and vectors. */
  | 'fused'
  /** By words: the question got no vector, or not in time. */
  | 'no_vector'
  /** By words: the engine has not all vectors at hand. */
  | 'not_ready';

interface FusedSearchOptions {
  engine: Pick<Retrieval, 'search' | 'nearest'>;
  embedding: Embedding;
  onSearch: (outcome: FusionOutcome) => void;
  log: Log;
}

/** So many of either ranking are looked at: behind them a place says little. */
const DEPTH = 100;
/** Questions that are searched again soon, with the next message or a page of hits. */
const QUESTIONS = 200;
/** Words of a failure to the operator, so often at most. */
const TELL_MS = 15_000;

/** Whether everything that the agent knows has a vector in this space. */
export const isEmbedded = (
  { embeddedAs, embeddedVersion, knowledgeVersion }: AskedAgent,
  space: string,
): boolean => embeddedAs === space && embeddedVersion === knowledgeVersion;

/**
 * The same engine, its ranking fused with that of vectors when all that the agent knows has one: half of them would hide the other half. Whatever
 * fails on the way to the question's vector, the words are an answer.
 */
export function fusedSearch({
  engine,
  embedding,
  onSearch,
  log,
}: FusedSearchOptions): Pick<Retrieval, 'search'> {
  const { model } = embedding;
  const { nearest } = engine;
  if (model === null || nearest === undefined) return engine;
  const vectors = new LRUCache<string, Float32Array>({ max: QUESTIONS });
  let toldAt = Number.NEGATIVE_INFINITY;

  async function vectorOf(question: string, { questionMs }: EmbeddingModel): Promise<Float32Array | null> {
    const known = vectors.get(question);
    if (known) return known;
    try {
      const [vector] = await embedding.embed([question], 'question', AbortSignal.timeout(questionMs));
      if (vector === undefined) return null;
      const unit = unitVector(vector);
      vectors.set(question, unit);
      return unit;
    } catch (err) {
      if (performance.now() - toldAt > TELL_MS) {
        toldAt = performance.now();
        log.warn({ err }, 'a question got no vector, and was searched by its words alone');
      }
      return null;
    }
  }

  async function fused(
    request: SearchRequest,
    { space, leastSimilarity, ...model }: EmbeddingModel,
  ): Promise<{ answer: SearchAnswer; outcome: FusionOutcome }> {
    const { agent, question, limit, sourceTypes } = request;
    const depth = Math.max(limit, DEPTH);
    const [byWords, vector] = await Promise.all([
      engine.search({ ...request, limit: depth }),
      vectorOf(question, { space, leastSimilarity, ...model }),
    ]);
    const words = { ...byWords, hits: byWords.hits.slice(0, limit) };
    if (vector === null) return { answer: words, outcome: 'no_vector' };
    const hits = await engine
      .nearest?.({ agent, space, vector, limit: depth, sourceTypes })
      .catch((err: unknown) => {
        log.warn({ err }, 'the vectors of an agent could not be searched');
        return null;
      });
    if (hits == null) return { answer: words, outcome: 'not_ready' };
    return {
      answer: {
        ...byWords,
        hits: fuse(byWords.hits, hits, limit),
        isNear: (hits[0]?.score ?? -1) >= leastSimilarity,
      },
      outcome: 'fused',
    };
  }

  return {
    async search(request) {
      if (!isEmbedded(request.agent, model.space)) return engine.search(request);
      const { answer, outcome } = await fused(request, model);
      onSearch(outcome);
      return answer;
    },
  };
}
