import type { SearchHit } from '../../ports/retrieval.port.js';

/**
 * Rank constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). It reduces the advantage of the top
 * ranks.
 */
const K = 60;

/**
 * Fuses two rankings of the same chunks by rank alone, so their scores need not be comparable. Returns the best
 * first; equal scores by document id, then by position. Always includes the nearest chunk, which may answer the
 * question in other words.
 */
export function fuse(
  byWords: readonly SearchHit[],
  byVectors: readonly SearchHit[],
  limit: number,
): SearchHit[] {
  const fused = new Map<string, SearchHit>();
  for (const hits of [byWords, byVectors])
    for (const [place, hit] of hits.entries()) {
      const key = keyOf(hit);
      const score = (fused.get(key)?.score ?? 0) + 1 / (K + place + 1);
      fused.set(key, { ...hit, score });
    }
  const ranked = [...fused.values()].sort(before);
  const best = ranked.slice(0, limit);
  const nearest = byVectors[0] && fused.get(keyOf(byVectors[0]));
  if (nearest !== undefined && limit > 0 && !best.includes(nearest)) best[best.length - 1] = nearest;
  return best;
}

const keyOf = ({ documentId, chunk, version }: SearchHit): string => `${documentId}/${chunk}/${version}`;

function before(a: SearchHit, b: SearchHit): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.documentId === b.documentId) return a.chunk - b.chunk;
  return a.documentId < b.documentId ? -1 : 1;
}
