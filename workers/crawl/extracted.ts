import { TaskFailure } from '../../core/tasks/failures.js';
import type { Extraction } from '../../core/tasks/wire.js';
import type { ExtractResult } from '../threads/extract-threads.js';

export interface Extracted {
  contentHash: string;
  extraction: Extraction;
}

/** What a thread got out, or its failure as an exception. */
export const extractedOf = (result: ExtractResult): Extracted => {
  if (result.ok) return { contentHash: result.contentHash, extraction: result.extraction };
  const { code, message, verdict, retryAfterMs } = result.failure;
  throw new TaskFailure(code, { message, verdict, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
};
