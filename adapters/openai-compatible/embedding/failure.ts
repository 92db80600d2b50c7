import { EmbeddingFailure } from '../../../core/ports/embedding.port.js';
import type { CallFailure } from '../call-failure.js';

/** Converts a failed call to the port's errors. All retryable failures are one error, with the delay. */
export function toEmbeddingFailure(failure: CallFailure): EmbeddingFailure {
  const { message, retryAfterMs, isRetryable } = failure;
  if (isRetryable)
    return new EmbeddingFailure('EMBEDDING_UNAVAILABLE', message, { retryAfterMs, cause: failure });
  const code = failure.code === 'MODEL_BAD_ANSWER' ? 'EMBEDDING_BAD_ANSWER' : 'EMBEDDING_REFUSED';
  return new EmbeddingFailure(code, message, { cause: failure });
}
