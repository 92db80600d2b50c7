import type { Storage } from '../../core/ports/storage.port.js';
import type { RecognisePagesPayload } from '../../core/tasks/types/recognise-pages.js';
import type { Outcome } from '../../core/tasks/wire.js';
import { extractedFrom, readObject } from '../parse/parse-file.task.js';
import { type RecognitionParts, readRecognised } from './recognised-file.js';

/** Recognises the scanned pages of an uploaded file and reads the file with them. Throws TaskFailure. */
export async function recognisePages(
  payload: RecognisePagesPayload,
  { storage, ...parts }: RecognitionParts & { storage: Pick<Storage, 'open'> },
  signal: AbortSignal,
): Promise<Outcome> {
  const bytes = await readObject(payload, storage, signal);
  const { fileName, pages, language } = payload;
  return extractedFrom(await readRecognised({ bytes, fileName, pages, language }, parts, signal));
}
