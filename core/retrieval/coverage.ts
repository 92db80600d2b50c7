import type { Passage, QuestionTerm, Support } from '../knowledge/text/passages.js';
import { readQna } from '../knowledge/text/qna-text.js';
import { analyse } from './analysis/analyse.js';
import { termHash } from './analysis/term-hash.js';
import { addHashes, noHashes } from './analysis/term-hashes.js';
import type { AskedWord } from './question-terms.js';
import { questionWords } from './words/question-words.js';
import { stopWordsWithMeaning } from './words/similar-words.js';
import { isValueKind, valueKindsIn } from './words/value-kinds.js';

/**
 * Minimum coverage of a passage that answers the question: the value for an agent with one chunk, and the increase
 * for each factor of ten in the number of chunks. With more chunks, the best one covers more of any question by
 * chance.
 */
const COVERED = 0.36;
const COVERED_PER_DECADE = 0.08;
/** Minimum coverage of a passage that is related to the question. */
const NEAR = 0.15;

/*
 * Prior for small agents, whose word frequencies are unreliable: the frequencies are computed as if there were
 * `PRIOR_CHUNKS` more chunks, each of which contains a given word with probability `PRIOR_SHARE`.
 */
const PRIOR_CHUNKS = 5;
const PRIOR_SHARE = 0.01;
/** Weight of a word that no source contains, relative to the rarest possible word. */
const UNKNOWN = 0.7;
/** The same of a stop word with a meaning, such as "sell", that a question-and-answer entry lacks. */
const MEANT = 0.35;
/** Weight of a stop word, relative to other words of the same frequency. */
const COMMON = 0.05;
/**
 * Minimum overlap of two questions that count as the same: the share of each question's words that occur in the
 * other, averaged over both.
 */
const SAME_QUESTION = 0.6;
/** Minimum weight of a whole question, so that stop words alone cannot cover it. */
const LEAST_WEIGHT = 0.3;

/** Weighs each term of the question by its information: its rarity among the agent's chunks. */
export function weigh(
  words: readonly AskedWord[],
  { chunks, frequencies }: { chunks: number; frequencies: ReadonlyMap<string, number> },
): QuestionTerm[] {
  const information = (frequency: number) =>
    -Math.log((frequency + PRIOR_CHUNKS * PRIOR_SHARE) / (chunks + PRIOR_CHUNKS));
  const most = information(0);
  const known = (term: string) => isValueKind(term) || (frequencies.get(term) ?? 0) > 0;
  return words.flatMap(({ terms, alternatives, isCommon, weight }) => {
    const others = alternatives.filter(known);
    return terms.map((term) => {
      const forms = [term, ...others];
      const frequency = Math.min(
        chunks,
        forms.reduce((sum, form) => sum + (frequencies.get(form) ?? 0), 0),
      );
      const share = frequency === 0 ? UNKNOWN : information(frequency) / most;
      return { term, forms, weight: (weight * (isCommon ? COMMON * share : share)) / terms.length };
    });
  });
}

/** Indexes into the list of the question's terms. */
export type TermSet = ReadonlySet<number>;

/**
 * Returns a function that finds the question's terms in a text. It compares hashes, to avoid a string for each word.
 */
export function findTerms(terms: readonly QuestionTerm[]): (text: string) => TermSet {
  const places = new Map<number, number[]>();
  for (const [n, { forms }] of terms.entries())
    for (const form of forms) {
      const key = keyOf(termHash(form));
      const known = places.get(key);
      if (known === undefined) places.set(key, [n]);
      else known.push(n);
    }
  const asksForValue = terms.some(({ forms }) => forms.some(isValueKind));
  const hashes = noHashes();
  return (text) => {
    const found = new Set<number>();
    const add = (hash: number) => {
      const indexes = places.get(keyOf(hash));
      if (indexes !== undefined) for (const n of indexes) found.add(n);
    };
    hashes.size = 0;
    addHashes(hashes, text);
    for (let at = 0; at < hashes.size; at++) add(hashes.table[at] as number);
    if (asksForValue) for (const kind of valueKindsIn(text)) add(termHash(kind));
    return found;
  };
}

/** Converts the hash to a signed integer, which is a faster key for a map. */
const keyOf = (hash: number): number => hash | 0;

/** Returns a function that computes the share of the terms' weight that a text contains, 0 to 1. */
export function shareBy(terms: readonly QuestionTerm[]): (text: string) => number {
  const all = Math.max(
    LEAST_WEIGHT,
    terms.reduce((sum, { weight }) => sum + weight, 0),
  );
  const termsIn = findTerms(terms);
  return (text) => [...termsIn(text)].reduce((sum, n) => sum + (terms[n]?.weight ?? 0), 0) / all;
}

/**
 * Returns a function that computes how much of the question a passage covers, 0 to 1. A question-and-answer entry about
 * another question covers less: "Do you repair phones?" does not answer "Do you sell phones?". The more
 * further topics the entry's question has, the more it counts that the entry lacks topics or meaningful stop words ("sell").
 */
export function coverageBy(
  terms: readonly QuestionTerm[],
  question: string,
): (passage: CoveringPassage) => number {
  const share = shareBy(terms);
  const sharedTopics = sharedTopicsBy(terms);
  const meant = stopWordsWithMeaning(question);
  return (passage) => {
    const text = wordsOf(passage);
    const covered = share(text);
    if (passage.sourceType !== 'qna_entry') return covered;
    const shared = readQna(passage.text).questions.flatMap((stored) => sharedTopics(stored) ?? []);
    const lacking = shared.length === 0 ? 0 : 1 - Math.max(...shared);
    if (lacking === 0) return covered;
    const known = new Set(analyse(text));
    const missing = MEANT * meant.filter((forms) => !forms.some((form) => known.has(form))).length;
    const all = terms.reduce((sum, { weight }) => sum + weight, 0);
    const withMeant = (covered * all) / (all + missing);
    return withMeant - (1 - withMeant) * lacking;
  };
}

type CoveringPassage = Titles & Pick<Passage, 'text' | 'sourceType'>;

/** Returns a function that computes the share of a stored question's topics that the terms contain; null without topics. */
function sharedTopicsBy(terms: readonly QuestionTerm[]): (stored: string) => number | null {
  const asked = new Set(terms.flatMap(({ forms }) => forms));
  return (stored) => {
    const topics = questionWords(stored).words.filter(({ isCommon }) => !isCommon);
    if (topics.length === 0) return null;
    return topics.filter((word) => word.terms.some((term) => asked.has(term))).length / topics.length;
  };
}

/** Classifies how well the sources answer the question, by the coverage of the best chunk. */
export function supportOf(coverage: number, chunks: number): Support {
  const least = COVERED + COVERED_PER_DECADE * Math.log10(Math.max(1, chunks));
  if (coverage >= least) return 'covered';
  return coverage >= NEAR ? 'near' : 'none';
}

/**
 * Returns a function that checks whether a stored question means the same: both must share most of their words. Stop
 * words hardly count.
 */
export function questionMatcher(terms: readonly QuestionTerm[]): (stored: string) => boolean {
  const share = shareBy(terms);
  const sharedTopics = sharedTopicsBy(terms);
  return (stored) => {
    const shared = sharedTopics(stored);
    return shared !== null && (share(stored) + shared) / 2 >= SAME_QUESTION;
  };
}

type Titles = Pick<Passage, 'title' | 'headings'>;

export const titlesOf = ({ title, headings }: Titles): string => [title, ...headings].join('\n');

/** All text of a passage that is matched against a question. */
export const wordsOf = (passage: Titles & Pick<Passage, 'text'>): string =>
  `${titlesOf(passage)}\n${passage.text}`;
