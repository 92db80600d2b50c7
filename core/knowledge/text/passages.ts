import type { SourceType } from '../sources/source-types.js';

/** A range of a document that may answer a question. */
export interface Passage {
  documentId: string;
  sourceType: SourceType;
  title: string;
  /** URL of a page; otherwise null. */
  url: string | null;
  /** Code point offsets into the text of `GET …/sources/{documentId}/content`, end exclusive. */
  start: number;
  end: number;
  text: string;
  /** Headings above the passage, outermost first. */
  headings: string[];
  /** Higher is better; only comparable within one search. */
  score: number;
}

export interface QuestionTerm {
  /** A term as returned by `analyse`. */
  term: string;
  /** All terms of the sources that match it: itself, and spellings and forms of the same word. */
  forms: readonly string[];
  /** Information of the word relative to that of the rarest word; its terms share it. Common words have little. */
  weight: number;
}

/**
 * How well the sources answer a question: the best passage covers it, some passages are related but none covers it, or
 * nothing is related.
 */
export type Support = 'covered' | 'near' | 'none';

/** What an agent knows about a question. */
export interface Found {
  /** Best first, at most eight, within the token budget. */
  passages: Passage[];
  /** Share of the question's information in the best passage, 0 to 1. */
  coverage: number;
  support: Support;
  /** Whether the first passage answers the question by its meaning, although its words do not cover it. */
  isByMeaning: boolean;
  terms: QuestionTerm[];
}
