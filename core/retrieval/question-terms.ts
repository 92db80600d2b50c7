import type { SearchTerm } from '../ports/retrieval.port.js';
import { analyse } from './analysis/analyse.js';
import { type QuestionWord, questionWords } from './words/question-words.js';
import { similarTo } from './words/similar-words.js';
import { asksForTime, timeTermsIn } from './words/time-questions.js';
import { isValueKind, TIME } from './words/value-kinds.js';
import { formsOf } from './words/word-forms.js';

/**
 * Maximum number of words whose forms are searched and that count for the coverage, in addition to stop words. A
 * question may fill a page. The search itself uses all words.
 */
const MOST_WORDS = 256;
/** Weight of words from the previous message, relative to words of the question. */
const BEFORE = 0.5;
/** The same, if the previous message only decides between passages that match the question equally well. */
const HINT = 0.1;
/** Weight of stop words in the ranking. */
const COMMON = 0.2;
/** Weight of a time in a passage if the question asks for a time. */
const ASKED_TIME = 0.3;
/** Weight of a word's alternatives in the ranking. */
const ALTERNATIVE = 0.3;

/** A word of the question or of the previous message. */
export interface AskedWord extends QuestionWord {
  /** 1, or less for words of the previous message. */
  weight: number;
  /** Terms that also count as this word: its other forms, synonyms and, for an unknown word, likely spellings. */
  alternatives: readonly string[];
}

/** Returns the distinct words of the question, then the other words of `previous` with a lower weight. */
export function askedWords(question: string, previous?: string): AskedWord[] {
  const asked = wordsOf(question, 1);
  const known = new Set(asked.map(({ word }) => word));
  const before = previous === undefined ? [] : wordsOf(previous, BEFORE);
  return [...asked, ...before.filter(({ word }) => !known.has(word))];
}

function wordsOf(text: string, weight: number): AskedWord[] {
  const { words, languages } = questionWords(text);
  const weighed = words.filter(({ isCommon }, n) => isCommon || n < MOST_WORDS);
  const asked = weighed.map((word) => ({
    ...word,
    weight,
    alternatives: word.isCommon
      ? []
      : [...new Set([...formsOf(word.word, languages), ...similarTo(word.word, languages)])],
  }));
  if (!asksForTime(text)) return asked;
  const alternatives = languages.flatMap(timeTermsIn);
  return [
    ...asked,
    { word: TIME, terms: [TIME], isCommon: false, weight: weight * ASKED_TIME, alternatives },
  ];
}

interface Before {
  previous?: string | undefined;
  /** Whether the previous message only decides between passages that match the question equally well. */
  isHint: boolean;
}

/** Returns the distinct terms of the texts, with their weights in the ranking. */
export function searchTerms(
  words: readonly AskedWord[],
  question: string,
  { previous = '', isHint }: Before,
): SearchTerm[] {
  const weights = new Map<string, number>();
  const add = (term: string, weight: number) => weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  const all = isHint ? [...words, ...questionWords(previous).words] : words;
  const commonTerms = new Set(all.filter(({ isCommon }) => isCommon).flatMap(({ terms }) => terms));
  for (const [text, weight] of [
    [question, 1],
    [previous, isHint ? HINT : BEFORE],
  ] as const)
    for (const term of analyse(text)) add(term, weight * (commonTerms.has(term) ? COMMON : 1));
  for (const { alternatives, weight } of words)
    for (const term of alternatives) if (!isValueKind(term)) add(term, weight * ALTERNATIVE);
  return [...weights].map(([term, weight]) => ({ term, weight }));
}
