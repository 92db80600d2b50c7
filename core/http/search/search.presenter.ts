import type { AskResult } from '../../retrieval/ask.js';
import { shareBy } from '../../retrieval/coverage.js';
import { matchingBlock } from '../../retrieval/matching-block.js';
import type { FoundChunk } from '../../retrieval/search.js';

export function presentHits({ found, terms, coverage, support, nearest }: AskResult) {
  const shareOf = shareBy(terms);
  return {
    data: found.map((one) => presentHit(one, shareOf)),
    covered: support === 'covered',
    ...(nearest
      ? {
          nearest: {
            documentId: nearest.chunk.excerpt.documentId,
            title: nearest.chunk.excerpt.title,
            text: nearest.sentence,
            similarity: nearest.similarity,
            coverage,
          },
        }
      : {}),
  };
}

const presentHit = ({ hit, excerpt }: FoundChunk, shareOf: (text: string) => number) => ({
  documentId: excerpt.documentId,
  title: excerpt.title,
  url: excerpt.url,
  sourceType: excerpt.sourceType,
  ...matchingBlock(excerpt, shareOf),
  score: hit.score,
});
