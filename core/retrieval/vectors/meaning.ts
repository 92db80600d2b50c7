import { structuresOf } from '../../knowledge/text/text-structure.js';
import type { Meaning, SearchHit } from '../../ports/retrieval.port.js';
import type { FoundChunk } from '../search.js';

interface Sentence {
  chunk: FoundChunk;
  sentence: string;
}

export interface NearestSentence extends Sentence {
  similarity: number;
}

/** Maximum number of chunks and sentences to compare: a model on a processor takes some milliseconds for each. */
const CHUNKS = 4;
const SENTENCES = 40;
const MIN_CHARS = 12;

/**
 * Returns the sentence, row or list item that is most similar to the question, with the title of its document; null
 * without sentences, or if the model does not answer. Whole chunks are too long to compare: their other sentences hide
 * the answer.
 */
export async function nearestSentence(
  found: readonly FoundChunk[],
  { nearest, similarTo }: Meaning,
): Promise<NearestSentence | null> {
  const candidates = nearest
    .slice(0, CHUNKS)
    .flatMap((hit) => found.find((one) => isSameChunk(one.hit, hit)) ?? [])
    .flatMap(sentencesIn)
    .slice(0, SENTENCES);
  if (candidates.length === 0) return null;
  const similarities = await similarTo(
    candidates.map(({ chunk, sentence }) => `${chunk.excerpt.title}\n${sentence}`),
  );
  return candidates.reduce<NearestSentence | null>((best, candidate, n) => {
    const similarity = similarities?.[n];
    return similarity === undefined || similarity <= (best?.similarity ?? -Infinity)
      ? best
      : { ...candidate, similarity };
  }, null);
}

function sentencesIn(chunk: FoundChunk): Sentence[] {
  const { text, headings } = chunk.excerpt;
  return structuresOf(text, headings)
    .flatMap(({ items }) => items)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((sentence) => sentence.length >= MIN_CHARS)
    .map((sentence) => ({ chunk, sentence }));
}

export const isSameChunk = (hit: SearchHit, other: SearchHit): boolean =>
  hit.documentId === other.documentId && hit.chunk === other.chunk && hit.version === other.version;
