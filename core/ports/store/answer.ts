import type { SourceType } from '../../knowledge/source-types.js';
import type { ModelFailureCode } from '../model.port.js';

/* What is kept of an answer, and shown. */

/** One source behind a marker: `[n]` in the text is `sourceId` n. */
export interface Citation {
  sourceId: string;
  documentId: string;
  sourceType: SourceType;
  title: string;
  url: string | null;
  /** Code points into the document's content, end exclusive. */
  start: number;
  end: number;
  /** That stretch, at most 300 characters, as it was. */
  quote: string;
}

export interface Usage {
  credits: number;
  /** As the provider counts; null when it does not say. */
  inputTokens: number | null;
  outputTokens: number | null;
}

/** Why an answer ended without one, as clients see it in `details.reason` and `metadata.error.code`. */
export type AnswerFailureCode = ModelFailureCode | 'DEADLINE' | 'PROCESS_LOST';
