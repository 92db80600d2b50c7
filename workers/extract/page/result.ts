import { createHash } from 'node:crypto';
import { type FailureCode, TaskFailure } from '../../../core/jobs/failures.js';
import { chunkText } from '../../../core/knowledge/chunk-text.js';
import type { JsonObject } from '../../../core/ports/json.js';
import type { ExtractResult } from '../extract.js';
import { capText } from './normalise-text.js';

export function refused(code: FailureCode, message?: string): ExtractResult {
  return { ok: false, failure: new TaskFailure(code, message === undefined ? {} : { message }).failure };
}

/** A result with its chunks, hash and counts; a text over the cap is cut and says so, as does one of a page that `isCut` already. */
export function extracted(
  title: string | null,
  fullText: string,
  metadata: JsonObject,
  isCut = false,
): ExtractResult {
  const { text, truncated } = capText(fullText);
  const chunks = chunkText(text);
  const counts = { truncated: truncated || isCut, chunks: chunks.length };
  return {
    ok: true,
    extraction: { title, text, chunks, metadata: { ...metadata, ...counts } },
    contentHash: createHash('sha256').update(text, 'utf8').digest('hex'),
  };
}
