import type { StoredResponses } from './ports/store/stored-responses.js';

/** Lifetime of the stored response to an idempotent request, in seconds. */
export const RESPONSE_LIFETIME_S = 86_400;

/**
 * Returns `found` unless it has expired. Deletes an expired response that no sweep has removed yet, so that its key
 * can be used again.
 * @param now Unix seconds
 */
export async function unexpired<T extends { keyHash: string; createdAt: number }>(
  found: T | null,
  { responses, ownerId, now }: { responses: Pick<StoredResponses, 'forget'>; ownerId: string; now: number },
): Promise<T | null> {
  const before = now - RESPONSE_LIFETIME_S;
  if (!found || found.createdAt >= before) return found;
  await responses.forget(ownerId, found.keyHash, before);
  return null;
}
