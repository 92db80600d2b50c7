import type { ConversationRow } from '../ports/store/conversations/conversation-rows.js';
import type { AnswerOutcome } from '../schemas/answer-outcomes.js';
import type { WebhookEvent } from '../schemas/webhook-events.js';

/** Returns the event for an answer that has ended with an outcome. `at` is in Unix seconds. */
export const answerCompleted = (
  { id, agentId }: Pick<ConversationRow, 'id' | 'agentId'>,
  messageId: number,
  outcome: AnswerOutcome,
  at: number,
): WebhookEvent => ({
  type: 'answer.completed',
  at,
  data: { agentId, conversationId: id, messageId: String(messageId), outcome },
});
