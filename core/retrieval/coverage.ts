import type { Passage, QuestionTerm } from '../knowledge/passages.js';
import type { SearchAnswer, SearchTerm } from '../ports/retrieval.port.js';
import { analyse } from './analysis/analyse.js';
import { inverseFrequency } from './index/rank.js';

/** With fewer chunks, an agent knows too few words for an unknown word to count against an answer. */
const FEW_CHUNKS = 50;

/** Weighs each term of the question by its rarity among the agent's chunks. */
export const weigh = (
  terms: readonly SearchTerm[],
  { chunks, frequencies }: Pick<SearchAnswer, 'chunks' | 'frequencies'>,
): QuestionTerm[] =>
  terms.map(({ term, weight }, n) => {
    const frequency = frequencies[n] ?? 0;
    const isTelling = frequency > 0 || chunks >= FEW_CHUNKS;
    return { term, weight: isTelling ? weight * inverseFrequency(chunks, frequency) : 0 };
  });

/** Share of the terms' weight that the text contains, 0 to 1. */
export function shareOf(terms: readonly QuestionTerm[], text: string): number {
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return 0;
  const held = new Set(analyse(text));
  return terms.reduce((sum, { term, weight }) => sum + (held.has(term) ? weight : 0), 0) / all;
}

/** All text of a passage that is matched against a question. */
export const wordsOf = ({ title, headings, text }: Pick<Passage, 'title' | 'headings' | 'text'>): string =>
  [title, ...headings, text].join('\n');
