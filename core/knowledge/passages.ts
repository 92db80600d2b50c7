import type { SourceType } from './source-types.js';

/** A stretch of a document that may answer a question. */
export interface Passage {
  documentId: string;
  sourceType: SourceType;
  title: string;
  /** Of a page; null for everything else. */
  url: string | null;
  /** Code points into the text that `GET …/sources/{documentId}/content` shows, end exclusive. */
  start: number;
  end: number;
  /** Exactly that stretch. */
  text: string;
  /** Titles of the headings above, outermost first. */
  headings: string[];
  /** Higher is better; comparable within one search only. */
  score: number;
}

/** A word of the question as the index knows it, and how much it says: rare words weigh more. */
export interface QuestionTerm {
  /** As `analyse` gives it. */
  term: string;
  /** Inverse document frequency among the agent's chunks; 0 when the word says nothing. */
  weight: number;
}

/** What an agent knows about a question. */
export interface Found {
  /** Best first, at most eight, within the budget of the context. */
  passages: Passage[];
  /** Share of the question's weight that the best passage holds, 0 to 1. */
  coverage: number;
  /** Where vectors were searched, too: whether the nearest one is about the question, whatever its words. */
  isNear?: boolean;
  terms: QuestionTerm[];
}
