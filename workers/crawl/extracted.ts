import { type Failure, TaskFailure } from '../../core/tasks/failures.js';
import type { Extraction } from '../../core/tasks/wire.js';
import type { ExtractResult, SameText } from '../threads/extract-threads.js';

export interface Extracted {
  contentHash: string;
  /** Null: the text is the one with the hash that was known. */
  extraction: Extraction | null;
}

/** Returns the extraction that a thread made. Throws its failure. */
export const extractedOf = (result: ExtractResult | SameText): Extracted => {
  if (!result.ok) throw failureOf(result.failure);
  return { contentHash: result.contentHash, extraction: result.extraction };
};

/** Makes an exception of a failure that a thread returned as a value. */
export const failureOf = ({ code, message, verdict, retryAfterMs }: Failure): TaskFailure =>
  new TaskFailure(code, { message, verdict, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
