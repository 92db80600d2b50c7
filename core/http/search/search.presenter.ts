import type { QuestionTerm } from '../../knowledge/passages.js';
import type { AskResult } from '../../retrieval/ask.js';
import { matchingBlock } from '../../retrieval/matching-block.js';
import type { FoundChunk } from '../../retrieval/search.js';

export const presentHits = ({ found, terms, support }: AskResult) => ({
  data: found.map((one) => presentHit(one, terms)),
  covered: support === 'covered',
});

const presentHit = ({ hit, excerpt }: FoundChunk, terms: readonly QuestionTerm[]) => ({
  documentId: excerpt.documentId,
  title: excerpt.title,
  url: excerpt.url,
  sourceType: excerpt.sourceType,
  ...matchingBlock(excerpt, terms),
  score: hit.score,
});
