import type { Found, Passage, QuestionTerm, Support } from '../knowledge/passages.js';
import type { SearchAnswer, SearchTerm } from '../ports/retrieval.port.js';
import { analyse } from './analysis/analyse.js';
import { inverseFrequency } from './index/rank.js';

/** Minimum coverage of a passage that answers the question. */
const COVERED = 0.3;
/** Minimum coverage of a passage that is related to the question. */
const NEAR = 0.15;

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
    return { term, forms: [term], weight: isTelling ? weight * inverseFrequency(chunks, frequency) : 0 };
  });

/** Share of the terms' weight that the text contains, 0 to 1. */
export function shareOf(terms: readonly QuestionTerm[], text: string): number {
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return 0;
  return heldWeight(terms, new Set(analyse(text))) / all;
}

/** Sum of the weights of the terms that `words` contains in any form. */
export const heldWeight = (terms: readonly QuestionTerm[], words: ReadonlySet<string>): number =>
  terms.reduce((sum, term) => sum + (isHeld(term, words) ? term.weight : 0), 0);

/** Whether `words` contains the term in any form. */
export const isHeld = ({ forms }: QuestionTerm, words: ReadonlySet<string>): boolean =>
  forms.some((form) => words.has(form));

/** Classifies the sources by the coverage of the best passage. `isNear`: a vector search found a similar passage. */
export function supportOf({ coverage, isNear }: Pick<Found, 'coverage' | 'isNear'>): Support {
  if (coverage >= COVERED) return 'covered';
  return coverage >= NEAR || isNear === true ? 'near' : 'none';
}

/** All text of a passage that is matched against a question. */
export const wordsOf = ({ title, headings, text }: Pick<Passage, 'title' | 'headings' | 'text'>): string =>
  [title, ...headings, text].join('\n');
