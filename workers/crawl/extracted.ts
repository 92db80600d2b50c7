import { type Failure, TaskFailure } from '../../core/tasks/failures.js';
import type { Extraction } from '../../core/tasks/wire.js';
import type { ExtractResult, SameText } from '../threads/extract-threads.js';

export interface Extracted {
  contentHash: string;
  /** Null if the text has the known hash, so that it is unchanged. */
  extraction: Extraction | null;
}

/** Returns the extraction of a thread, or throws its failure. */
export const extractedOf = (result: ExtractResult | SameText): Extracted => {
  if (!result.ok) throw failureOf(result.failure);
  return { contentHash: result.contentHash, extraction: result.extraction };
};

/** Returns the error for a failure that a thread returned as a value. */
export const failureOf = ({ code, message, verdict, retryAfterMs }: Failure): TaskFailure =>
  new TaskFailure(code, { message, verdict, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
