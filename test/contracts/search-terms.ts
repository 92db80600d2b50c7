import type { SearchTerm } from '../../core/ports/retrieval.port.js';
import { analyse } from '../../core/retrieval/analysis/analyse.js';

/** Distinct terms of a question, all with the same weight. */
export const termsOf = (question: string): SearchTerm[] =>
  [...new Set(analyse(question))].map((term) => ({ term, weight: 1 }));
