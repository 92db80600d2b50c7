import type { ConversationScope } from '../conversations/turn-scope.js';

/**
 * Deletes what is stored of the person of a conversation. Events keep their keys, so that repeated ones are still
 * recognised. The thread is read first: with a subquery, MariaDB locks the events of all accounts.
 */
export async function forgetPerson({ select, defer, conversationId: id }: ConversationScope): Promise<void> {
  const [thread] = await select(
    'SELECT account_id, person_id FROM channel_threads WHERE conversation_id = ?',
    [id],
  );
  defer('DELETE FROM channel_messages WHERE conversation_id = ?', [id]);
  if (!thread) return;
  const person = [thread.account_id, thread.person_id];
  defer(
    `UPDATE channel_events SET body = '{}', person_id = '', status = CASE WHEN ended_at IS NULL THEN 'done' ELSE status END,
        ended_at = COALESCE(ended_at, received_at_ms / 1000), conversation_id = NULL, user_message_id = NULL, lane = ''
      WHERE account_id = ? AND person_id = ?`,
    person,
  );
  defer('DELETE FROM channel_recipients WHERE account_id = ? AND person_id = ?', person);
  defer('DELETE FROM channel_threads WHERE conversation_id = ?', [id]);
}
