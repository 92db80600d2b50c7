import { createHash } from 'node:crypto';
import { invalidBody, invalidField } from '../errors/api-error.js';
import type { KeptAnswer } from '../ports/store/kept-answers.js';
import { canonicalJson, type JsonObject } from '../schemas/json.js';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** What makes a request the same as one that came before. */
export interface Idempotency {
  hash: string;
  fingerprint: string;
}

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The key of a request with what it stands for: its path, its query as given, and its body as JSON in whatever order
 * of fields. Whether the answer is to be streamed does not count. Null without a header; throws 400 for a faulty one.
 */
export function readIdempotency(
  header: string | undefined,
  { path, query, body }: { path: string; query: JsonObject; body: JsonObject },
): Idempotency | null {
  if (header === undefined) return null;
  if (!PRINTABLE.test(header))
    throw invalidField(IDEMPOTENCY_KEY, 'must be 1 to 128 printable ASCII characters');
  const { stream: _, ...content } = body;
  const asked = Object.keys(query).length === 0 ? '' : `?${canonical(query)}`;
  return {
    hash: sha256(header),
    fingerprint: sha256(`${path.toLowerCase()}${asked}\n${canonical(content)}`),
  };
}

/** What is stored of an answer, for a request that is repeated; nothing without a key. `createdAt`: Unix seconds. */
export const keptAnswer = (
  idempotency: Idempotency | null,
  answer: KeptAnswer['answer'],
  createdAt: number,
): KeptAnswer | undefined =>
  idempotency
    ? { keyHash: idempotency.hash, fingerprint: idempotency.fingerprint, answer, createdAt }
    : undefined;

function canonical(value: JsonObject): string {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof RangeError) throw invalidBody('The body is nested too deeply.');
    throw error;
  }
}
