import type { ConversationScope } from '../conversations/turn-scope.js';

/** Returns the ids of private replies to the person of a conversation that belong to no conversation yet. */
export async function repliesWithoutConversation(
  { select }: Pick<ConversationScope, 'select'>,
  conversationId: string,
): Promise<string[]> {
  const rows = await select(
    `SELECT m.id FROM channel_threads t
        JOIN channel_recipients r ON r.account_id = t.account_id AND r.person_id = t.person_id AND r.agent_id = t.agent_id
        JOIN channel_messages m ON m.id = r.delivery_id
      WHERE t.conversation_id = ? AND m.conversation_id IS NULL`,
    [conversationId],
  );
  return rows.map(({ id }) => id as string);
}

/**
 * Deletes what is stored of the person of a conversation. Events keep their keys, so that repeated ones are still
 * recognised. The thread is read first: with a subquery, MariaDB locks the events of all accounts.
 */
export async function forgetPerson({ select, defer, conversationId: id }: ConversationScope): Promise<void> {
  const [thread] = await select(
    'SELECT agent_id, account_id, person_id FROM channel_threads WHERE conversation_id = ?',
    [id],
  );
  const replies = await repliesWithoutConversation({ select }, id);
  if (replies.length > 0) defer('DELETE FROM channel_messages WHERE id IN (?)', [replies]);
  defer('DELETE FROM channel_messages WHERE conversation_id = ?', [id]);
  if (!thread) return;
  // The account may belong to another agent since.
  const person = [thread.account_id, thread.person_id, thread.agent_id];
  defer(
    `UPDATE channel_events SET body = '{}', person_id = '', status = CASE WHEN ended_at IS NULL THEN 'done' ELSE status END,
        ended_at = COALESCE(ended_at, received_at_ms / 1000), conversation_id = NULL, user_message_id = NULL, lane = ''
      WHERE account_id = ? AND person_id = ? AND agent_id = ?`,
    person,
  );
  defer('DELETE FROM channel_recipients WHERE account_id = ? AND person_id = ? AND agent_id = ?', person);
  defer('DELETE FROM channel_threads WHERE conversation_id = ?', [id]);
}
