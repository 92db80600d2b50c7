import type { Found } from '../../core/knowledge/text/passages.js';
import { titleAbove } from '../../core/knowledge/text/text-structure.js';
import { analyse } from '../../core/retrieval/analysis/analyse.js';
import { findTerms, wordsOf } from '../../core/retrieval/coverage.js';
import { numbersIn } from '../../core/retrieval/words/numbers.js';
import { asksFor } from '../../core/retrieval/words/question-phrases.js';
import { questionWords } from '../../core/retrieval/words/question-words.js';
import { EMAIL, isValueKind, TIME } from '../../core/retrieval/words/value-kinds.js';
import type { Candidate } from './candidates.js';

/**
 * Returns whether a candidate contains the value that the question asks for: a number in its best item that is not in the
 * question, and in its passage the price, phone number or address that the question names. "How old is Ann Lee?" is not
 * answered by "The trainer is Ann Lee".
 */
export const holdsAskedValue = (candidate: Candidate, found: Found, question: string): boolean =>
  (found.answeringSentence !== null || holdsNamedKind(candidate, found, question)) &&
  (!asksFor('amount', question) || holdsNumber(candidate, question));

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

function holdsNumber({ text, structure, items, score }: Candidate, question: string): boolean {
  const { languages } = questionWords(question);
  const best = structure.items[items.findIndex((item) => item.score === score)];
  const { lead, columns, headings } = structure;
  const parts = [lead, best].map((range) => (range ? text.slice(range.start, range.end) : ''));
  const numbers = numbersIn([titleAbove(headings), ...columns, ...parts].join('\n'), languages);
  const known = new Set(numbersIn(question, languages));
  return numbers === null || numbers.some((number) => !known.has(number));
}
