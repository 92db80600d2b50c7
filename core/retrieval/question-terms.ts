import type { SearchTerm } from '../ports/retrieval.port.js';
import { analyse } from './analysis/analyse.js';

/** The words of the message before count half. */
const BEFORE = 0.5;

/** What to search for, each word once; with `previous`, also the words of that message which the question lacks. */
export function questionTerms(question: string, previous?: string): SearchTerm[] {
  const asked = new Set(analyse(question));
  const before = new Set(previous === undefined ? [] : analyse(previous));
  return [
    ...[...asked].map((term) => ({ term, weight: 1 })),
    ...[...before].filter((term) => !asked.has(term)).map((term) => ({ term, weight: BEFORE })),
  ];
}
