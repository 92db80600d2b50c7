import type { Health } from './health.js';

/*
 * An embedding model: texts with similar meanings get similar vectors. Core decides what to embed and when, and
 * stores the vectors.
 */

/** Some models embed search queries (`question`) differently. */
export type EmbeddingPurpose = 'document' | 'question';

export interface EmbeddingModel {
  /**
   * Names the vector space, 1 to 200 printable characters. Only vectors of the same space are compared. Anything that
   * changes vectors, such as the model or a prefix of the texts, must change the name.
   */
  space: string;
  /** Maximum number of texts per call. */
  batch: number;
  /** Timeout for the vector of a question, in milliseconds. After that, search matches words only. */
  questionMs: number;
  /** Minimum cosine similarity (-1 to 1) of texts that are relevant to a question. */
  leastSimilarity: number;
  /** Minimum cosine similarity of a sentence that answers a question. If absent, only words can cover a question. */
  answeringSimilarity?: number;
  /** Languages that the model knows (ISO 639). Questions in others are searched by words only. If absent, all. */
  languages?: readonly string[];
}

export interface Embedding {
  /** Null if there is no model: search matches words only. */
  readonly model: EmbeddingModel | null;
  /**
   * Returns a vector for each text, in order: all of the same length, finite and not all zero. Queues calls if the
   * provider limits concurrency. Rejects with EmbeddingFailure or the signal's reason; any other error is treated
   * as temporary.
   */
  embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]>;
  /** Returns the health as derived from previous calls, without a request to the provider. */
  health(): Promise<Health>;
  /** Requests one vector, which may cost money. Returns ok if there is no model. */
  probe(signal: AbortSignal): Promise<Health>;
}

const embeddingFailureCodes = [
  /** No connection, a timeout or a provider error. Temporary. */
  'EMBEDDING_UNAVAILABLE',
  /** The provider rejected the key, the model or the texts. */
  'EMBEDDING_REFUSED',
  /** The response does not contain valid vectors for these texts. */
  'EMBEDDING_BAD_ANSWER',
] as const;
export type EmbeddingFailureCode = (typeof embeddingFailureCodes)[number];

/** Recognises failures by code, because a plugin may not have our class. */
export const isEmbeddingFailureCode = (code: unknown): code is EmbeddingFailureCode =>
  embeddingFailureCodes.some((known) => known === code);

/** The message is for operators and never sent to clients. */
export class EmbeddingFailure extends Error {
  readonly code: EmbeddingFailureCode;
  /** The provider's Retry-After in milliseconds; 0 if it sent none. */
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
