import { createHash } from 'node:crypto';
import { invalidBody, invalidField } from '../../errors/api-error.js';
import type { StoredResponse } from '../../ports/store/stored-responses.js';
import { canonicalJson, type JsonObject } from '../../schemas/json.js';
import type { Keyring } from '../../secrets/keyring.js';
import { openText, sealText } from '../../secrets/sealed-text.js';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Identifies a request. A request with the same hash and fingerprint is a repetition of it. */
export interface Idempotency {
  hash: string;
  fingerprint: string;
}

/** Field that contains an encrypted response. No response of the API has a field of this name. */
const SEALED = '$sealed';
const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the key, or null without a header. Throws 400 for a malformed one. */
export function readKey(header: string | undefined): string | null {
  if (header !== undefined && !PRINTABLE.test(header))
    throw invalidField(IDEMPOTENCY_KEY, 'must be 1 to 128 printable ASCII characters');
  return header ?? null;
}

/**
 * Hashes the key, and the path, query and body of a valid request. The order of fields and the field `stream` do not
 * count. The body must have only the fields that the operation declares. `userId`: the visitor; null for API keys.
 */
export function idempotencyOf(
  key: string,
  { path, query, body, userId }: { path: string; query: JsonObject; body: JsonObject; userId: string | null },
): Idempotency {
  const { stream: _, ...content } = body;
  const asked = Object.keys(query).length === 0 ? '' : `?${canonical(query)}`;
  return {
    // Keys have no line breaks, so a visitor's hash never equals the hash of another user or of an API key.
    hash: sha256(userId === null ? key : `${userId}\n${key}`),
    fingerprint: sha256(`${path.toLowerCase()}${asked}\n${canonical(content)}`),
  };
}

/** Returns the row for a stored response; undefined without a key. `createdAt` in Unix seconds. */
export const storedResponse = (
  idempotency: Idempotency | null,
  response: StoredResponse['response'],
  createdAt: number,
): StoredResponse | undefined =>
  idempotency
    ? { keyHash: idempotency.hash, fingerprint: idempotency.fingerprint, response, createdAt }
    : undefined;

/** Encrypts a response with a secret, for storage. */
export const sealResponse = (
  keyring: Pick<Keyring, 'seal'>,
  ownerId: string,
  { status, body }: NonNullable<StoredResponse['response']>,
): StoredResponse['response'] => ({
  status,
  body: { [SEALED]: sealText(keyring, ownerId, JSON.stringify(body)) },
});

/** Decrypts a stored response if `sealResponse` has encrypted it. */
export function openResponse(
  keyring: Pick<Keyring, 'open'>,
  ownerId: string,
  response: NonNullable<StoredResponse['response']>,
): NonNullable<StoredResponse['response']> {
  const { [SEALED]: sealed } = response.body as Record<string, unknown>;
  if (typeof sealed !== 'string') return response;
  return { ...response, body: JSON.parse(openText(keyring, ownerId, sealed)) };
}

function canonical(value: JsonObject): string {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof RangeError) throw invalidBody('The body is nested too deeply.');
    throw error;
  }
}
