import { type Embedding, isEmbeddingFailureCode } from '../../core/ports/embedding.port.js';
import type { Storage } from '../../core/ports/storage.port.js';
import { joinBlocks, vectorBlock } from '../../core/retrieval/vectors/vector-block.js';
import { resultRef } from '../../core/tasks/extraction-object.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import { decodeTexts } from '../../core/tasks/types/embed.js';
import type { Outcome, TaskMessage } from '../../core/tasks/wire.js';

interface EmbedParts {
  storage: Pick<Storage, 'get' | 'put'>;
  embedding: Embedding;
}

/**
 * Reads the texts of a task from the storage, embeds them in batches, and writes the vectors to the storage. Throws
 * TaskFailure, or the signal's reason if it aborts.
 */
export async function embedTexts(
  { payload, taskId, attempt }: Extract<TaskMessage, { type: 'embed' }>,
  { storage, embedding }: EmbedParts,
  signal: AbortSignal,
): Promise<Outcome> {
  const { model } = embedding;
  // During a rolling restart with a new model, this worker may not have the requested model.
  if (model?.space !== payload.space) throw new TaskFailure('EMBEDDING_UNAVAILABLE');
  const texts = await textsOf(payload.input, storage);
  const blocks: Uint8Array[] = [];
  let dimensions = 0;
  for (let at = 0; at < texts.length; at += model.batch) {
    const vectors = await vectorsOf(embedding, texts.slice(at, at + model.batch), signal);
    dimensions ||= vectors[0]?.length ?? 0;
    if (vectors.some(({ length }) => length !== dimensions)) throw new TaskFailure('EMBEDDING_BAD_ANSWER');
    blocks.push(vectorBlock(vectors, dimensions));
  }
  const ref = resultRef(taskId, attempt);
  await storage.put(ref, Buffer.from(joinBlocks(blocks, dimensions))).catch((cause: unknown) => {
    throw new TaskFailure('STORAGE_FAILED', { cause });
  });
  return { kind: 'embedded', dimensions, ref };
}

async function textsOf(input: string, storage: EmbedParts['storage']): Promise<string[]> {
  const bytes = await storage.get(input).catch((cause: unknown) => {
    throw new TaskFailure('STORAGE_FAILED', { cause });
  });
  if (bytes === null) throw new TaskFailure('FILE_MISSING');
  const texts = decodeTexts(bytes);
  if (texts === null) throw new TaskFailure('RESULT_DAMAGED');
  return texts;
}

async function vectorsOf(
  embedding: Embedding,
  texts: string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  try {
    const vectors = await embedding.embed(texts, 'document', signal);
    if (vectors.length !== texts.length) throw new TaskFailure('EMBEDDING_BAD_ANSWER');
    return vectors;
  } catch (cause) {
    if (cause instanceof TaskFailure) throw cause;
    const { code, retryAfterMs } = cause as { code?: unknown; retryAfterMs?: unknown };
    throw new TaskFailure(isEmbeddingFailureCode(code) ? code : 'EMBEDDING_UNAVAILABLE', {
      cause,
      ...(typeof retryAfterMs === 'number' && retryAfterMs > 0 ? { retryAfterMs } : {}),
    });
  }
}
