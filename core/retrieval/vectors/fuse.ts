import type { SearchHit } from '../../ports/retrieval.port.js';

/** Share of the similarity in the score of a chunk. Words lead; similarity decides between equally good matches. */
const SIMILARITY_SHARE = 0.3;

/**
 * Adds up the scores of two rankings of the same chunks, each relative to its best. Returns the best first; equal scores
 * by document id, then by position. Always includes the `always` nearest chunks, which may answer the question in other
 * words.
 */
export function fuse(
  byWords: readonly SearchHit[],
  byVectors: readonly SearchHit[],
  { limit, always }: { limit: number; always: number },
): SearchHit[] {
  const fused = new Map<string, SearchHit>();
  const add = (hits: readonly SearchHit[], share: number) => {
    const best = hits[0]?.score || 1;
    for (const hit of hits) {
      const score = (fused.get(keyOf(hit))?.score ?? 0) + (share * hit.score) / best;
      fused.set(keyOf(hit), { ...hit, score });
    }
  };
  add(byWords, 1 - SIMILARITY_SHARE);
  add(byVectors, SIMILARITY_SHARE);
  const ranked = [...fused.values()].sort(before);
  const nearest = byVectors
    .slice(0, Math.min(always, limit))
    .flatMap((hit) => fused.get(keyOf(hit)) ?? [])
    .filter((hit) => ranked.indexOf(hit) >= limit);
  return [...ranked.slice(0, Math.max(0, limit - nearest.length)), ...nearest];
}

const keyOf = ({ documentId, chunk, version }: SearchHit): string => `${documentId}/${chunk}/${version}`;

function before(a: SearchHit, b: SearchHit): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.documentId === b.documentId) return a.chunk - b.chunk;
  return a.documentId < b.documentId ? -1 : 1;
}
