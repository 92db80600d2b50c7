import { seconds } from '../../../core/ports/clock.port.js';
import { userSubject } from '../../../core/ports/store/conversations/conversations.js';
import type { ConversationScope } from './turn-scope.js';

/** How long the platform may repeat the echo of a message: 36 hours, plus a margin. */
const ECHO_MS = 48 * 3_600_000;

/** Returns the ids of private replies to the conversation's person that do not belong to a conversation yet. */
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
 * Deletes the data of the conversation's person. Events keep their keys, so that repetitions are still recognised.
 * Reads the thread first, because with a subquery, MariaDB would lock the events of all accounts.
 */
export async function forgetPerson(scope: ConversationScope, nowMs: number): Promise<void> {
  const { select, defer, conversationId: id } = scope;
  const [thread] = await select(
    'SELECT agent_id, account_id, person_id FROM channel_threads WHERE conversation_id = ?',
    [id],
  );
  const replies = await repliesWithoutConversation({ select }, id);
  const forget = (where: string, params: unknown[]): void => {
    // Rows stay without their content, so that late echoes are still recognised as ours.
    defer(
      `UPDATE channel_messages SET status = 'deleted', ended_at = ?, text = '', error = NULL, once_key = NULL,
          conversation_id = NULL, message_id = NULL, person_id = NULL, comment_id = NULL
        WHERE ${where} AND began_at_ms > ?`,
      [seconds(nowMs), ...params, nowMs - ECHO_MS],
    );
    defer(`DELETE FROM channel_messages WHERE ${where} AND status <> 'deleted'`, params);
  };
  if (replies.length > 0) forget('id IN (?)', [replies]);
  forget('conversation_id = ?', [id]);
  if (!thread) return;
  // The account may belong to another agent by now.
  const person = [thread.account_id, thread.person_id, thread.agent_id];
  defer(
    `UPDATE channel_events SET body = '{}', person_id = '', status = CASE WHEN ended_at IS NULL THEN 'done' ELSE status END,
        ended_at = COALESCE(ended_at, received_at_ms / 1000), conversation_id = NULL, user_message_id = NULL, lane = ''
      WHERE account_id = ? AND person_id = ? AND agent_id = ?`,
    person,
  );
  defer('DELETE FROM channel_recipients WHERE account_id = ? AND person_id = ? AND agent_id = ?', person);
  defer('DELETE FROM channel_threads WHERE conversation_id = ?', [id]);
  defer('DELETE FROM chat_subjects WHERE agent_id = ? AND subject = ?', [
    thread.agent_id,
    userSubject(String(thread.person_id)),
  ]);
}
