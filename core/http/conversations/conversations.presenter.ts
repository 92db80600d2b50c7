import type { ConversationRow } from '../../ports/store/conversations/conversations.js';

/**
 * `now` in Unix seconds. A conversation without messages for `endedAfterSeconds` is shown as ended, until a new message
 * arrives.
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
