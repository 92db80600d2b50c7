import type { FoundChunk } from '../../retrieval/search.js';

export const presentHit = ({ hit, stretch }: FoundChunk) => ({
  documentId: stretch.documentId,
  title: stretch.title,
  url: stretch.url,
  sourceType: stretch.sourceType,
  start: stretch.start,
  end: stretch.end,
  text: stretch.text,
  score: hit.score,
});
