import type { FoundChunk } from '../../retrieval/search.js';

export const presentHit = ({ hit, excerpt }: FoundChunk) => ({
  documentId: excerpt.documentId,
  title: excerpt.title,
  url: excerpt.url,
  sourceType: excerpt.sourceType,
  start: excerpt.start,
  end: excerpt.end,
  text: excerpt.text,
  score: hit.score,
});
