import type { KeptAnswers } from './ports/store/kept-answers.js';

/** How long answers are kept for requests that come again, in seconds. */
export const KEPT_S = 86_400;

/**
 * What was kept under a key, or null. An answer whose time is over, and which no sweep has found yet, is deleted here:
 * then its key is free again.
 *
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
