import { createHash } from 'node:crypto';
import { notationOf } from '../../core/knowledge/text/notation.js';
import { indexText } from '../../core/retrieval/index-text.js';
import type { JsonObject } from '../../core/schemas/json.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import type { Reading } from '../../reader/reading.js';
import type { ExtractResult, SameText } from './extract-threads.js';

/**
 * Converts a reading to the result that a worker reports: the text with its chunks, segment, hash and metadata, or
 * the failure. Returns no extraction if the text has the known hash.
 */
export function extractionOf(reading: Reading, more?: JsonObject, knownHash?: undefined): ExtractResult;
export function extractionOf(
  reading: Reading,
  more: JsonObject,
  knownHash: string | undefined,
): ExtractResult | SameText;
export function extractionOf(
  reading: Reading,
  more: JsonObject = {},
  knownHash?: string,
): ExtractResult | SameText {
  if (!reading.ok) {
    const { code, sentence } = reading;
    const options = sentence === undefined ? {} : { message: sentence };
    return { ok: false, failure: new TaskFailure(code, options).failure };
  }
  const { title, text, kind, facts, isCut, isInterstitial = false } = reading.content;
  const contentHash = createHash('sha256').update(text, 'utf8').digest('hex');
  if (contentHash === knownHash) return { ok: true, extraction: null, contentHash };
  const { chunks, body } = indexText(text, notationOf({ contentKind: kind }));
  const metadata = { contentKind: kind, ...more, ...facts, truncated: isCut, chunks: chunks.length };
  const segment = Buffer.from(body).toString('base64');
  const extraction = {
    title,
    text,
    chunks,
    segment,
    metadata,
    ...(isInterstitial ? { isInterstitial } : {}),
  };
  return { ok: true, extraction, contentHash };
}
