import type { Found } from '../../core/knowledge/text/passages.js';
import type { TextRange } from '../../core/knowledge/text/sentences.js';
import { titleAbove } from '../../core/knowledge/text/text-structure.js';
import { analyse } from '../../core/retrieval/analysis/analyse.js';
import { findTerms, wordsOf } from '../../core/retrieval/coverage.js';
import { numbersIn } from '../../core/retrieval/words/numbers.js';
import { asksFor } from '../../core/retrieval/words/question-phrases.js';
import { questionWords } from '../../core/retrieval/words/question-words.js';
import { EMAIL, isValueKind, MONEY, TIME } from '../../core/retrieval/words/value-kinds.js';
import type { Candidate } from './candidates.js';

/**
 * Returns whether a candidate contains the value that the question asks for: a number in its best item that is not in the
 * question, and in its passage the price, phone number or address that the question names. "How old is Ann Lee?" is not
 * answered by "The trainer is Ann Lee".
 */
export const holdsAskedValue = (candidate: Candidate, found: Found, question: string): boolean =>
  (found.answeringSentence !== null || holdsNamedKind(candidate, found, question)) &&
  (!asksFor('amount', question) ||
    asksFor('extent', question) ||
    namesPrice(candidate, found) ||
    holdsNumber(candidate, question));

/** A price or phone number may be the topic of a question for something else. */
function holdsNamedKind({ passage }: Candidate, { passages, terms }: Found, question: string): boolean {
  const best = passages[passage];
  if (best === undefined) return false;
  const asked = new Set(analyse(question));
  const isAskedKind = asksFor('number', question) ? isValueKind : (form: string) => form === EMAIL;
  const matched = findTerms(terms)(wordsOf(best));
  return terms.every(
    ({ term, forms }, n) => matched.has(n) || !asked.has(term) || term === TIME || !forms.some(isAskedKind),
  );
}

/** Returns whether the best item has a word for the price that the question asks for: "the full price is due". */
function namesPrice(candidate: Candidate, { terms }: Found): boolean {
  const matched = findTerms(terms)(textAt(candidate, bestItem(candidate)));
  return terms.some(({ forms }, n) => matched.has(n) && forms.includes(MONEY));
}

function holdsNumber(candidate: Candidate, question: string): boolean {
  const { languages } = questionWords(question);
  const { lead, columns, headings } = candidate.structure;
  const parts = [lead, bestItem(candidate)].map((range) => textAt(candidate, range));
  const numbers = numbersIn([titleAbove(headings), ...columns, ...parts].join('\n'), languages);
  const known = new Set(numbersIn(question, languages));
  return numbers === null || numbers.some((number) => !known.has(number));
}

const bestItem = ({ structure, items, score }: Candidate): TextRange | undefined =>
  structure.items[items.findIndex((item) => item.score === score)];

const textAt = ({ text }: Candidate, range: TextRange | null | undefined): string =>
  range ? text.slice(range.start, range.end) : '';
