import { type BestChunks, bestChunks, type RankedChunk } from './best-chunks.js';
import { findTerm, type IndexPart, type PartDocument } from './index-part.js';

/*
 * BM25 (Robertson and Zaragoza, "The probabilistic relevance framework", 2009) over the parts of an agent's index.
 * Frequencies and lengths are summed over all parts, and scores in order of term hashes. So the score of a chunk is
 * exactly the same, regardless of how the chunks are divided into parts.
 */

const K1 = 1.2;
const B = 0.75;
/** Maximum number of terms per search. A question may fill a page; its rarest terms are kept. */
export const MOST_TERMS = 256;

/** Terms in parallel arrays, which are cheap to send to a thread. */
export interface WeightedTerms {
  hashes: Uint32Array;
  /** 1 for a word of the question, less for related words. */
  weights: Float64Array;
}

export interface RankRequest {
  terms: WeightedTerms;
  limit: number;
  /** Only documents of these types; null for all. */
  sourceTypes: readonly number[] | null;
}

export interface Ranking {
  /** Best first; equal scores by document id, then by position. */
  chunks: RankedChunk[];
  /** Number of live chunks, and for each term the number of live chunks that contain it. */
  size: number;
  frequencies: number[];
}

/** Inverse document frequency of a term that occurs in `frequency` of `size` chunks. Always positive. */
export const inverseFrequency = (size: number, frequency: number): number =>
  Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));

export function rank(parts: readonly IndexPart[], { terms, limit, sourceTypes }: RankRequest): Ranking {
  let size = 0;
  let words = 0;
  for (const part of parts) {
    size += part.liveChunks;
    words += part.liveWords;
  }
  const places = Array.from(terms.hashes, (hash) => parts.map((part) => findTerm(part, hash)));
  const frequencies = places.map((inParts) =>
    parts.reduce((sum, part, n) => sum + livePostings(part, inParts[n] as number), 0),
  );
  const scored = chosenTerms(terms, frequencies).map((n) => ({
    inParts: places[n] as number[],
    factor: (terms.weights[n] as number) * inverseFrequency(size, frequencies[n] as number) * (K1 + 1),
  }));
  const best = bestChunks(limit);
  for (const [n, part] of parts.entries()) {
    const scores = new Float64Array(part.lengths.length);
    for (const { inParts, factor } of scored)
      addScores(scores, part, inParts[n] as number, factor, words / size);
    offer(best, part, scores, sourceTypes);
  }
  return { chunks: best.chunks, size, frequencies };
}

/**
 * Returns the indexes of the terms to score, in order of hashes. Skips terms that do not occur. Above the limit, it
 * keeps the terms with the highest weight, then the rarest.
 */
function chosenTerms({ hashes, weights }: WeightedTerms, frequencies: readonly number[]): number[] {
  const frequency = (n: number) => frequencies[n] as number;
  const hash = (n: number) => hashes[n] as number;
  const weight = (n: number) => weights[n] as number;
  return [...frequencies.keys()]
    .filter((n) => frequency(n) > 0)
    .sort((a, b) => weight(b) - weight(a) || frequency(a) - frequency(b) || hash(a) - hash(b))
    .slice(0, MOST_TERMS)
    .sort((a, b) => hash(a) - hash(b));
}

/** Counts the live chunks that contain the term. */
function livePostings(part: IndexPart, term: number): number {
  if (term < 0) return 0;
  const first = part.firstPostings[term] as number;
  const end = part.firstPostings[term + 1] as number;
  if (part.deadDocuments === 0) return end - first;
  let living = 0;
  for (let n = first; n < end; n++)
    if (part.dead[part.documentOf[part.chunks[n] as number] as number] === 0) living += 1;
  return living;
}

function addScores(
  scores: Float64Array,
  part: IndexPart,
  term: number,
  factor: number,
  averageLength: number,
): void {
  if (term < 0) return;
  const { chunks, counts, lengths } = part;
  const end = part.firstPostings[term + 1] as number;
  for (let n = part.firstPostings[term] as number; n < end; n++) {
    const chunk = chunks[n] as number;
    const count = counts[n] as number;
    const length = lengths[chunk] as number;
    scores[chunk] =
      (scores[chunk] as number) + (factor * count) / (count + K1 * (1 - B + (B * length) / averageLength));
  }
}

function offer(
  best: BestChunks,
  part: IndexPart,
  scores: Float64Array,
  sourceTypes: readonly number[] | null,
): void {
  for (let chunk = 0; chunk < scores.length; chunk++) {
    const score = scores[chunk] as number;
    if (score === 0 || score < best.least) continue;
    const document = part.documentOf[chunk] as number;
    if (part.dead[document] === 1) continue;
    const { id, version, sourceType } = part.documents[document] as PartDocument;
    if (sourceTypes !== null && !sourceTypes.includes(sourceType)) continue;
    best.add({
      documentId: id,
      version,
      sourceType,
      chunk: chunk - (part.firstChunks[document] as number),
      score,
    });
  }
}
