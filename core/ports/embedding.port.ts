import type { Health } from './health.js';

/*
 * What core needs of a model that gives each text a vector, such that texts which mean the same lie close
 * together. Core decides which texts, when, and what becomes of the vectors.
 */

/** `question` looks for documents: some models want to be told. */
export type EmbeddingPurpose = 'document' | 'question';

export interface EmbeddingModel {
  /**
   * Names the space of its vectors, 1 to 200 printable characters: two vectors are compared only when they have the
   * same name. It must change with whatever changes the vectors, such as the model or a prefix of the texts.
   */
  space: string;
  /** Most texts of one call. */
  batch: number;
  /** How long a question may wait for its vector before it is searched by its words alone. Milliseconds. */
  questionMs: number;
  /** A text whose cosine with the question is at least this is about the question. -1 to 1. */
  leastSimilarity: number;
}

export interface Embedding {
  /** Null: there is none, and documents are found by their words alone. */
  readonly model: EmbeddingModel | null;
  /**
   * A vector for each text, in their order: all of the same length, finite and not all zero. Calls wait for
   * each other where the provider takes only so many. Rejects with EmbeddingFailure, or with the reason of
   * the signal; any other error counts as one that may be tried again.
   */
  embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]>;
  /** As far as the last calls tell: asks nobody. */
  health(): Promise<Health>;
  /** Asks the provider for one vector, which may cost money; well at once where there is no model. */
  probe(signal: AbortSignal): Promise<Health>;
}

const embeddingFailureCodes = [
  /** No connection, no answer in time, or the provider is in trouble: again later. */
  'EMBEDDING_UNAVAILABLE',
  /** The provider does not want the key, the model or the texts. */
  'EMBEDDING_REFUSED',
  /** The answer does not hold vectors for these texts. */
  'EMBEDDING_BAD_ANSWER',
] as const;
export type EmbeddingFailureCode = (typeof embeddingFailureCodes)[number];

/** Known by its code, not by its class: a plugin may have none of ours. */
export const isEmbeddingFailureCode = (code: unknown): code is EmbeddingFailureCode =>
  embeddingFailureCodes.some((known) => known === code);

/** The message is for operators; it never reaches a client. */
export class EmbeddingFailure extends Error {
  readonly code: EmbeddingFailureCode;
  /** What the provider asked for, in milliseconds; 0 when it did not. */
  readonly retryAfterMs: number;
  constructor(
    code: EmbeddingFailureCode,
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'EmbeddingFailure';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}
