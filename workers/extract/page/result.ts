import { createHash } from 'node:crypto';
import { type FailureCode, TaskFailure } from '../../../core/jobs/failures.js';
import { chunkText } from '../../../core/knowledge/chunk-text.js';
import type { JsonObject } from '../../../core/ports/json.js';
import type { ExtractResult } from '../extract.js';
import { capText } from './normalise-text.js';

export function refused(code: FailureCode, message?: string): ExtractResult {
  return { ok: false, failure: new TaskFailure(code, message === undefined ? {} : { message }).failure };
}

/** A result with its chunks, hash and counts; a text over the cap is cut and says so. */
export function extracted(title: string | null, fullText: string, metadata: JsonObject): ExtractResult {
  const { text, truncated } = capText(fullText);
  const chunks = chunkText(text);
  return {
    ok: true,
    extraction: { title, text, chunks, metadata: { ...metadata, truncated, chunks: chunks.length } },
    contentHash: createHash('sha256').update(text, 'utf8').digest('hex'),
  };
}
