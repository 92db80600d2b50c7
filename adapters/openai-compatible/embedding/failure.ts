import { EmbeddingFailure } from '../../../core/ports/embedding.port.js';
import type { CallFailure } from '../call-failure.js';

/** A failed call as the port names it. What another try may help is one kind; how long to wait is told beside it. */
export function toEmbeddingFailure(failure: CallFailure): EmbeddingFailure {
  const { message, retryAfterMs, again } = failure;
  if (again) return new EmbeddingFailure('EMBEDDING_UNAVAILABLE', message, { retryAfterMs, cause: failure });
  const code = failure.code === 'MODEL_BAD_ANSWER' ? 'EMBEDDING_BAD_ANSWER' : 'EMBEDDING_REFUSED';
  return new EmbeddingFailure(code, message, { cause: failure });
}
