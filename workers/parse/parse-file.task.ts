import { addAbortSignal } from 'node:stream';
import type { Storage, StorageErrorCode } from '../../core/ports/storage.port.js';
import { type FailureCode, TaskFailure } from '../../core/tasks/failures.js';
import type { ParseFilePayload } from '../../core/tasks/types/parse-file.js';
import type { Outcome } from '../../core/tasks/wire.js';
import type { Recognition } from '../recognise/recognition.js';
import type { ExtractResult, ExtractThreads } from '../threads/extract-threads.js';

/**
 * Reads an uploaded file and extracts its text in a thread, or returns the pages whose text must be recognised first.
 * Throws TaskFailure.
 */
export async function parseFile(
  payload: ParseFilePayload,
  {
    storage,
    threads,
    recognition,
  }: { storage: Pick<Storage, 'open'>; threads: Pick<ExtractThreads, 'file'>; recognition: Recognition },
  signal: AbortSignal,
): Promise<Outcome> {
  const bytes = await readObject(payload, storage, signal);
  const result = await threads.file({ bytes, fileName: payload.fileName }, signal);
  const { scannedPages = [] } = result;
  if (scannedPages.length === 0) return extractedFrom(result);
  if (recognition.problem === null) return { kind: 'scanned', pages: [...scannedPages] };
  if (result.ok) return extractedFrom(result);
  throw new TaskFailure(result.failure.code, { message: recognition.problem });
}

/** Returns the outcome of a reading. Throws its failure. */
export function extractedFrom(result: ExtractResult): Outcome {
  if (!result.ok) throw new TaskFailure(result.failure.code, result.failure);
  return { kind: 'extracted', contentHash: result.contentHash, extraction: result.extraction };
}

/** Reads an uploaded file into memory. Throws TaskFailure, for example if it has changed since its registration. */
export async function readObject(
  payload: ParseFilePayload,
  storage: Pick<Storage, 'open'>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(payload.bytes);
  let length = 0;
  try {
    const stream = addAbortSignal(signal, await storage.open(payload.storagePath, payload.etag));
    for await (const part of stream) {
      const chunk = part as Uint8Array;
      if (length + chunk.length > bytes.length) throw new TaskFailure('FILE_CHANGED');
      bytes.set(chunk, length);
      length += chunk.length;
    }
  } catch (error) {
    throw asFailure(error);
  }
  if (length !== bytes.length) throw new TaskFailure('FILE_CHANGED');
  return bytes;
}

const storageFailures: Record<StorageErrorCode, FailureCode> = {
  OBJECT_MISSING: 'FILE_MISSING',
  OBJECT_CHANGED: 'FILE_CHANGED',
  STORAGE_FAILED: 'STORAGE_FAILED',
};

const isStorageCode = (code: unknown): code is StorageErrorCode =>
  typeof code === 'string' && Object.hasOwn(storageFailures, code);

/**
 * Converts an error of the storage. Compares its code, not its class, because a plugin may have its own copy of the
 * class.
 */
function asFailure(error: unknown): unknown {
  const { name, code } = error as { name?: unknown; code?: unknown };
  // The read was aborted, because the storage did not respond in time.
  if (name === 'AbortError') return new TaskFailure('STORAGE_FAILED', { cause: error });
  return isStorageCode(code) ? new TaskFailure(storageFailures[code], { cause: error }) : error;
}
