import { type Failure, TaskFailure } from '../../core/tasks/failures.js';
import type { Extraction } from '../../core/tasks/wire.js';
import type { ExtractResult, SameText } from '../threads/extract-threads.js';

export interface Extracted {
  contentHash: string;
  /** Null: the text is the one with the hash that was known. */
  extraction: Extraction | null;
}

/** The extraction of a thread. Throws its failure. */
export const extractedOf = (result: ExtractResult | SameText): Extracted => {
  if (!result.ok) throw failureOf(result.failure);
  return { contentHash: result.contentHash, extraction: result.extraction };
};

/** A failure that came out of a thread as a value. */
export const failureOf = ({ code, message, verdict, retryAfterMs }: Failure): TaskFailure =>
  new TaskFailure(code, { message, verdict, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
