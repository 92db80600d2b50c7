import { TaskFailure } from '../../core/tasks/failures.js';
import type { Extraction } from '../../core/tasks/wire.js';
import type { ExtractResult, SameText } from '../threads/extract-threads.js';

export interface Extracted {
  contentHash: string;
  /** Null: the text is the one with the hash that was known. */
  extraction: Extraction | null;
}

/** What a thread got out, or its failure as an exception. */
export const extractedOf = (result: ExtractResult | SameText): Extracted => {
  if (result.ok) return { contentHash: result.contentHash, extraction: result.extraction };
  const { code, message, verdict, retryAfterMs } = result.failure;
  throw new TaskFailure(code, { message, verdict, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
};
