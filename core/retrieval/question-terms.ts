import type { SearchTerm } from '../ports/retrieval.port.js';
import { analyse } from './analysis/analyse.js';

/** Weight of words from the previous message. */
const BEFORE = 0.5;

/** Returns the distinct terms of the question, then further terms of `previous` at a lower weight. */
export function questionTerms(question: string, previous?: string): SearchTerm[] {
  const asked = new Set(analyse(question));
  const before = new Set(previous === undefined ? [] : analyse(previous));
  return [
    ...[...asked].map((term) => ({ term, weight: 1 })),
    ...[...before].filter((term) => !asked.has(term)).map((term) => ({ term, weight: BEFORE })),
  ];
}
