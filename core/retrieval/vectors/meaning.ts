import { structuresOf } from '../../knowledge/text/text-structure.js';
import type { Meaning, SearchHit } from '../../ports/retrieval.port.js';
import type { FoundChunk } from '../search.js';

export interface AnsweringSentence {
  chunk: FoundChunk;
  sentence: string;
}

/** Maximum number of chunks and sentences to compare: a model on a processor takes some milliseconds for each. */
const CHUNKS = 4;
const SENTENCES = 40;
const MIN_CHARS = 12;

/**
 * Returns the sentence, row or list item that is most similar to the question, with the title of its document, if it is
 * similar enough to answer it. A chunk is too long to compare: its other sentences hide the one that answers.
 */
export async function answeringSentence(
  found: readonly FoundChunk[],
  { nearest, answeringSimilarity, similarTo }: Meaning,
): Promise<AnsweringSentence | null> {
  const candidates = nearest
    .slice(0, CHUNKS)
    .flatMap((hit) => found.find((one) => isSameChunk(one.hit, hit)) ?? [])
    .flatMap(sentencesIn)
    .slice(0, SENTENCES);
  if (candidates.length === 0) return null;
  const similarities = await similarTo(
    candidates.map(({ chunk, sentence }) => `${chunk.excerpt.title}\n${sentence}`),
  );
  if (similarities === null) return null;
  const best = similarities.reduce((most, one, n) => (one > (similarities[most] ?? -1) ? n : most), 0);
  return (similarities[best] ?? -1) >= answeringSimilarity ? (candidates[best] ?? null) : null;
}

function sentencesIn(chunk: FoundChunk): AnsweringSentence[] {
  const { text, headings } = chunk.excerpt;
  return structuresOf(text, headings)
    .flatMap(({ items }) => items)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((sentence) => sentence.length >= MIN_CHARS)
    .map((sentence) => ({ chunk, sentence }));
}

export const isSameChunk = (hit: SearchHit, other: SearchHit): boolean =>
  hit.documentId === other.documentId && hit.chunk === other.chunk && hit.version === other.version;
