import { chunkText } from '../../../../core/knowledge/text/chunk-text.js';
import { analyse } from '../../../../core/retrieval/analysis/analyse.js';
import type { RankedChunk } from '../../../../core/retrieval/index/best-chunks.js';
import type { SegmentDocument } from '../../../../core/retrieval/index/merge-segments.js';
import { encodeBody, withTitle } from '../../../../core/retrieval/index/segment.js';

export interface SampleDocument {
  id: string;
  title: string;
  text: string;
  version: number;
}

/** Deterministic random numbers. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

/** Documents with one to about twenty chunks and few frequent words. */
export function sampleDocuments(count: number, seed = 1): SampleDocument[] {
  const random = randomNumbers(seed);
  const word = () => `w${random(4) === 0 ? random(20) : random(3000)}x`;
  const sentence = () => `${Array.from({ length: 5 + random(15) }, word).join(' ')}.`;
  return Array.from({ length: count }, (_, n) => ({
    id: `d${String(n).padStart(5, '0')}`,
    title: random(5) === 0 ? '' : `${word()} ${word()}`,
    version: n + 1,
    text: Array.from(
      { length: 1 + random(8) },
      () => `## ${word()}\n\n${Array.from({ length: 1 + random(40) }, sentence).join(' ')}`,
    ).join('\n\n'),
  }));
}

export function segmentOf({ id, title, text, version }: SampleDocument): SegmentDocument {
  return {
    id,
    version,
    sourceType: version % 4,
    segment: withTitle(title, encodeBody(text, chunkText(text))),
  };
}

/** Textbook BM25 over the texts themselves. */
export function rankedByTheBook(
  documents: readonly SampleDocument[],
  query: string,
  limit: number,
): RankedChunk[] {
  const chunks = documents.flatMap(({ id, title, text, version }) =>
    chunkText(text).map(({ start, end, headings }, chunk) => ({
      documentId: id,
      version,
      sourceType: version % 4,
      chunk,
      words: analyse([title, ...headings, text.slice(start, end)].join('\n')),
    })),
  );
  const average = chunks.reduce((sum, { words }) => sum + words.length, 0) / chunks.length;
  const terms = [...new Set(analyse(query))].map((term) => {
    const frequency = chunks.filter(({ words }) => words.includes(term)).length;
    return { term, idf: Math.log(1 + (chunks.length - frequency + 0.5) / (frequency + 0.5)) };
  });
  return chunks
    .map(({ documentId, version, sourceType, chunk, words }) => {
      const score = terms.reduce((sum, { term, idf }) => {
        const count = words.filter((one) => one === term).length;
        return sum + (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * words.length) / average));
      }, 0);
      return { documentId, version, sourceType, chunk, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.documentId.localeCompare(b.documentId) || a.chunk - b.chunk)
    .slice(0, limit);
}
