import { addAbortSignal } from 'node:stream';
import { TaskFailure } from '../../core/jobs/failures.js';
import type { Outcome, ParseFilePayload } from '../../core/jobs/wire.js';
import { type Storage, StorageError } from '../../core/ports/storage.port.js';
import type { ExtractThreads } from '../extract/extract.js';

/** Reads an uploaded file, which must still be the registered one, and has a thread extract its text. */
export async function parseFile(
  payload: ParseFilePayload,
  { storage, threads }: { storage: Storage; threads: Pick<ExtractThreads, 'file'> },
  signal: AbortSignal,
): Promise<Outcome> {
  const bytes = await readObject(payload, storage, signal);
  const result = await threads.file({ bytes, fileName: payload.fileName }, signal);
  if (!result.ok) throw new TaskFailure(result.failure.code, result.failure);
  return { kind: 'extracted', contentHash: result.contentHash, extraction: result.extraction };
}

async function readObject(
  payload: ParseFilePayload,
  storage: Storage,
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

function asFailure(error: unknown): unknown {
  // A storage that does not go on is a storage that failed.
  if ((error as Error).name === 'AbortError') return new TaskFailure('STORAGE_FAILED', { cause: error });
  if (!(error instanceof StorageError)) return error;
  if (error.code === 'OBJECT_MISSING') return new TaskFailure('FILE_MISSING', { cause: error });
  if (error.code === 'OBJECT_CHANGED') return new TaskFailure('FILE_CHANGED', { cause: error });
  return new TaskFailure('STORAGE_FAILED', { cause: error });
}
