import type { Found } from '../../core/knowledge/text/passages.js';
import { titleAbove } from '../../core/knowledge/text/text-structure.js';
import { analyse } from '../../core/retrieval/analysis/analyse.js';
import { findTerms, wordsOf } from '../../core/retrieval/coverage.js';
import { numbersIn } from '../../core/retrieval/words/numbers.js';
import { asksFor } from '../../core/retrieval/words/question-phrases.js';
import { questionWords } from '../../core/retrieval/words/question-words.js';
import { isValueKind, TIME } from '../../core/retrieval/words/value-kinds.js';
import type { Candidate } from './candidates.js';

/**
 * Returns whether a candidate contains what a question for a number asks for: a number in its best item that is not in
 * the question, and a price or phone number in its passage if the question names one. "How old is Ann Lee?" is not
 * answered by "The trainer is Ann Lee".
 */
export const holdsAskedValue = (candidate: Candidate, found: Found, question: string): boolean =>
  !asksFor('number', question) ||
  ((found.answeringSentence !== null || holdsNamedKind(candidate, found, question)) &&
    (!asksFor('amount', question) || holdsNumber(candidate, question)));

function holdsNamedKind({ passage }: Candidate, { passages, terms }: Found, question: string): boolean {
  const best = passages[passage];
  if (best === undefined) return false;
  const asked = new Set(analyse(question));
  const matched = findTerms(terms)(wordsOf(best));
  return terms.every(
    ({ term, forms }, n) => matched.has(n) || !asked.has(term) || term === TIME || !forms.some(isValueKind),
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
