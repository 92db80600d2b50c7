import type { QuestionGroup } from '../ports/store/conversations/questions.js';

/**
 * Returns whether a question needs no more work: it was answered, or marked as resolved, after it was last left open. An
 * answer counts only if the sources have not changed since then. `changedAt`: last change of the sources, Unix seconds.
 */
export function isResolved(
  { openId, answeredId, answeredAt, resolvedId }: QuestionGroup,
  changedAt: number | null,
): boolean {
  const isAnswered = answeredId !== null && answeredId > openId && (answeredAt ?? 0) >= (changedAt ?? 0);
  return isAnswered || (resolvedId !== null && resolvedId >= openId);
}
