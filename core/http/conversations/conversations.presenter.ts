import type { ConversationRow } from '../../ports/conversations.port.js';

/**
 * `now` in Unix seconds. A conversation that was silent for longer than `endedAfterSeconds` has ended, until
 * somebody writes again.
 */
export const presentConversation = (
  { id, title, source, userId, messages, createdAt, updatedAt }: ConversationRow,
  { now, endedAfterSeconds }: { now: number; endedAfterSeconds: number },
) => ({
  id,
  title,
  source,
  status: now - updatedAt >= endedAfterSeconds ? 'ended' : 'ongoing',
  userId,
  messageCount: messages,
  createdAt,
  updatedAt,
});
