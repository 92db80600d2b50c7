import type { SourceType } from '../../../knowledge/sources/source-types.js';
import type { AnswerOutcome } from '../../../schemas/answer-outcomes.js';
import type { ModelFailureCode } from '../../model.port.js';

/** The source of a marker: `[n]` in the text refers to `sourceId` n. */
export interface Citation {
  sourceId: string;
  documentId: string;
  sourceType: SourceType;
  title: string;
  url: string | null;
  /** Code points into the document's content, end exclusive. */
  start: number;
  end: number;
  /** The cited text at the time of the answer, at most 300 characters. */
  quote: string;
}

/** A document whose passages were given to the answer. */
export type UsedDocument = Pick<Citation, 'documentId' | 'title' | 'url'>;

export interface Usage {
  credits: number;
  /** Null if the provider does not report it. */
  inputTokens: number | null;
  outputTokens: number | null;
}

/** Facts about a finished answer. */
export interface AnswerFacts {
  /** The model that answered. */
  model: string;
  usage: Usage;
  citations: Citation[];
  /** Null if the message answers no question, as with small talk or tool calls. */
  outcome: AnswerOutcome | null;
  /** Documents whose passages were given to the model, best first. */
  sources: UsedDocument[];
  /** Whether front ends offer a person or a contact form below the answer. */
  offer: boolean;
}

/**
 * The same facts in a stored message. Null if the message is not an answer, is in progress, or was stored before the
 * fact existed.
 */
export type StoredFacts = { [F in keyof AnswerFacts]: AnswerFacts[F] | null };

export const noFacts: StoredFacts = {
  model: null,
  usage: null,
  citations: null,
  outcome: null,
  sources: null,
  offer: null,
};

/** Why an answer failed: `details.reason` and `metadata.error.code` of the API. */
export type AnswerFailureCode = ModelFailureCode | 'DEADLINE' | 'PROCESS_LOST';

export type Feedback = 'positive' | 'negative';
