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
  /** Higher is better. Comparable only within one search. */
  score: number;
}

export interface QuestionTerm {
  /** A term as returned by `analyse`. */
  term: string;
  /** Terms that match it: the term itself, and spellings and forms of the same word. */
  forms: readonly string[];
  /**
   * Information content of the word, relative to the rarest possible word, divided among its terms. Stop words have
   * little.
   */
  weight: number;
}

/**
 * How well the sources answer a question. `covered`: the best passage covers it. `near`: passages are related, but
 * none covers it. `none`: no passage is related.
 */
export type Support = 'covered' | 'near' | 'none';

/** What an agent knows about a question. */
export interface Found {
  /** Best first, at most eight, within the token budget. */
  passages: Passage[];
  /** Share of the question's information in the best passage, 0 to 1. */
  coverage: number;
  support: Support;
  /**
   * The sentence of the first passage that answers the question by vector similarity, although no words cover the
   * question; otherwise null.
   */
  answeringSentence: string | null;
  terms: QuestionTerm[];
}
