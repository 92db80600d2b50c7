import { LRUCache } from 'lru-cache';
import type { Embedding, EmbeddingModel } from '../../ports/embedding.port.js';
import type { Log } from '../../ports/log.port.js';
import type {
  AskedAgent,
  Meaning,
  NearestRequest,
  Retrieval,
  SearchAnswer,
  SearchHit,
  SearchRequest,
} from '../../ports/retrieval.port.js';
import { isSpokenIn } from '../words/spoken-in.js';
import { fuse } from './fuse.js';
import { unitVector } from './vector-block.js';

/** Outcome of a search that may combine words and vectors. */
export type FusionOutcome =
  | 'fused'
  /** Words only: the model does not know the language of the question. */
  | 'other_language'
  /** Words only: embedding the question failed or timed out. */
  | 'no_vector'
  /** Words only: the engine has not loaded all vectors. */
  | 'not_ready'
  /** Words only: the vector search failed. */
  | 'failed';

interface FusedSearchOptions {
  engine: Pick<Retrieval, 'search' | 'nearest'>;
  embedding: Embedding;
  onSearch: (outcome: FusionOutcome) => void;
  log: Log;
}

interface KnownQuestion {
  vector: Float32Array;
  /** The last vector search with this question, and its result. */
  last: { scope: string; hits: SearchHit[] } | null;
}

/** Number of hits of each ranking that are fused. Lower ranks hardly change the result. */
const DEPTH = 100;
/** Number of nearest chunks that are always found, because one of their sentences may answer the question. */
const NEAREST = 4;
/**
 * Number of questions in the cache. The same question is often searched again: with a corrected spelling, or before
 * the next message.
 */
const QUESTIONS = 200;
/** Minimum interval between two warnings of the same kind. */
const WARN_INTERVAL_MS = 15_000;

/** Returns whether all documents of the agent have vectors in this space. */
const isEmbedded = ({ embeddedAs, embeddedVersion, knowledgeVersion }: AskedAgent, space: string): boolean =>
  embeddedAs === space && embeddedVersion === knowledgeVersion;

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, x, n) => sum + x * (b[n] ?? 0), 0);

/**
 * Fuses the ranking by words with the ranking by vectors if all documents of the agent have vectors; otherwise
 * documents with vectors would displace the rest. Falls back to words if the vector search is not possible.
 */
export function fusedSearch({
  engine,
  embedding,
  onSearch,
  log,
}: FusedSearchOptions): Pick<Retrieval, 'search'> {
  const { model } = embedding;
  if (model === null || engine.nearest === undefined) return engine;
  const nearest = engine.nearest.bind(engine);
  const questions = new LRUCache<string, KnownQuestion>({ max: QUESTIONS });
  const throttledWarning = (message: string) => {
    let warnedAt = Number.NEGATIVE_INFINITY;
    return (err: unknown): void => {
      if (performance.now() - warnedAt <= WARN_INTERVAL_MS) return;
      warnedAt = performance.now();
      log.warn({ err }, message);
    };
  };
  const warnNoVector = throttledWarning('could not embed a question; searched by words only');
  const warnFailed = throttledWarning('vector search failed; searched by words only');

  async function embedded(question: string, { questionMs }: EmbeddingModel): Promise<KnownQuestion | null> {
    const known = questions.get(question);
    if (known) return known;
    try {
      const [vector] = await embedding.embed([question], 'question', AbortSignal.timeout(questionMs));
      if (vector === undefined) return null;
      const embedded: KnownQuestion = { vector: unitVector(vector), last: null };
      questions.set(question, embedded);
      return embedded;
    } catch (err) {
      warnNoVector(err);
      return null;
    }
  }

  /** Returns the nearest chunks; null if the engine is not ready. Rejects if the search fails. */
  async function nearestTo(known: KnownQuestion, request: Omit<NearestRequest, 'vector'>) {
    const { agent, limit, sourceTypes } = request;
    const scope = [agent.id, agent.knowledgeVersion, limit, sourceTypes].join();
    if (known.last?.scope === scope) return known.last.hits;
    const hits = await nearest({ ...request, vector: known.vector });
    if (hits !== null) known.last = { scope, hits };
    return hits;
  }

  const meaningOf = (
    { vector }: KnownQuestion,
    nearest: readonly SearchHit[],
    { leastSimilarity, answeringSimilarity = Number.POSITIVE_INFINITY, questionMs }: EmbeddingModel,
  ): Meaning => ({
    nearest,
    leastSimilarity,
    answeringSimilarity,
    async similarTo(texts) {
      try {
        const vectors = await embedding.embed(texts, 'document', AbortSignal.timeout(questionMs));
        return vectors.map((other) => cosine(vector, unitVector(other)));
      } catch (err) {
        warnNoVector(err);
        return null;
      }
    },
  });

  async function fused(
    request: SearchRequest,
    model: EmbeddingModel,
  ): Promise<{ result: SearchAnswer; outcome: FusionOutcome }> {
    const { agent, question, limit, sourceTypes } = request;
    const { space } = model;
    const depth = Math.max(limit, DEPTH);
    const [byWords, known] = await Promise.all([
      engine.search({ ...request, limit: depth }),
      embedded(question, model),
    ]);
    const words = { ...byWords, hits: byWords.hits.slice(0, limit) };
    if (known === null) return { result: words, outcome: 'no_vector' };
    const wanted = { agent, space, limit: depth, sourceTypes };
    const hits = await nearestTo(known, wanted).catch((err: unknown) => {
      warnFailed(err);
      return 'failed' as const;
    });
    if (hits === 'failed') return { result: words, outcome: hits };
    if (hits === null) return { result: words, outcome: 'not_ready' };
    return {
      result: {
        ...byWords,
        hits: fuse(byWords.hits, hits, { limit, always: NEAREST }),
        meaning: meaningOf(known, hits.slice(0, NEAREST), model),
      },
      outcome: 'fused',
    };
  }

  return {
    async search(request) {
      if (!isEmbedded(request.agent, model.space)) return engine.search(request);
      if (model.languages !== undefined && !isSpokenIn(request.question, model.languages)) {
        onSearch('other_language');
        return engine.search(request);
      }
      const { result, outcome } = await fused(request, model);
      onSearch(outcome);
      return result;
    },
  };
}
