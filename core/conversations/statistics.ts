import type { Feedback } from '../ports/store/conversations/answer.js';
import type { MessageRow } from '../ports/store/conversations/conversation-rows.js';
import type { ConversationTurn } from '../ports/store/conversations/conversations.js';
import type { CountedAnswer } from '../ports/store/conversations/statistics.js';

/** Ratio of the upper to the lower bound of a bucket. So the middle of a bucket is at most 5 % off. */
const BUCKET_RATIO = 1.1;

export const bucketOf = (ms: number): number =>
  Math.round(Math.log(Math.max(1, ms)) / Math.log(BUCKET_RATIO));

const middleOf = (bucket: number): number => Math.round(BUCKET_RATIO ** bucket);

/** Returns the median duration in milliseconds, at most 5 % off; null without answers. */
export function medianOf(durations: readonly { bucket: number; n: number }[]): number | null {
  const total = durations.reduce((sum, { n }) => sum + n, 0);
  let seen = 0;
  for (const { bucket, n } of durations) {
    seen += n;
    if (n > 0 && seen * 2 >= total) return middleOf(bucket);
  }
  return null;
}

/** Returns whether the statistics count the answer. Small talk and answers that end with tool calls do not count. */
export const isCounted = ({
  userMessageId,
  status,
  finishReason,
  outcome,
}: Pick<MessageRow, 'userMessageId' | 'status' | 'finishReason' | 'outcome'>): boolean =>
  userMessageId !== null && finishReason !== 'tool-calls' && (status !== 'completed' || outcome !== null);

/** Adds an answer to the counters of its day (`by` 1), or removes it (−1). */
export function countAnswer(
  { statistics }: Pick<ConversationTurn, 'statistics'>,
  { countedOn, outcome, feedback, citations }: CountedAnswer,
  by: 1 | -1,
): void {
  if (countedOn === null) return;
  statistics.count(countedOn, 'questions', by);
  if (outcome !== null) statistics.count(countedOn, outcome, by);
  if (feedback !== null) statistics.count(countedOn, feedback, by);
  for (const { documentId } of citations ?? []) statistics.countCitations(countedOn, documentId, by);
}

/** Counts a change of an answer's feedback on the day of the answer. */
export function countFeedback(
  { statistics }: Pick<ConversationTurn, 'statistics'>,
  { countedOn, feedback: old }: CountedAnswer,
  feedback: Feedback | null,
): void {
  if (countedOn === null) return;
  if (old !== null) statistics.count(countedOn, old, -1);
  if (feedback !== null) statistics.count(countedOn, feedback, 1);
}
