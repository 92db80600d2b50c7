import type { KeptAnswers } from './ports/store/kept-answers.js';

/** Retention of answers to idempotent requests, in seconds. */
export const KEPT_S = 86_400;

/**
 * Returns `found` unless it has expired. Deletes an expired answer that no sweep has removed yet, so that its key
 * can be used again.
 * @param now Unix seconds
 */
export async function stillKept<T extends { keyHash: string; createdAt: number }>(
  found: T | null,
  { answers, ownerId, now }: { answers: Pick<KeptAnswers, 'forget'>; ownerId: string; now: number },
): Promise<T | null> {
  const before = now - KEPT_S;
  if (!found || found.createdAt >= before) return found;
  await answers.forget(ownerId, found.keyHash, before);
  return null;
}
