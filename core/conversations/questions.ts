import type { QuestionGroup } from '../ports/store/conversations/questions.js';

/**
 * Whether a question needs no more work: since it was last left open, it was answered or marked as resolved. An answer
 * counts only if the sources have not changed since. `changedAt`: the last change of the sources, in Unix seconds.
 */
export function isResolved(
  { openId, answeredId, answeredAt, resolvedId }: QuestionGroup,
  changedAt: number | null,
): boolean {
  const isAnswered = answeredId !== null && answeredId > openId && (answeredAt ?? 0) >= (changedAt ?? 0);
  return isAnswered || (resolvedId !== null && resolvedId >= openId);
}
