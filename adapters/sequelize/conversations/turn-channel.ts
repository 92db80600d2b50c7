import type { ConversationChannel } from '../../../core/ports/store/channels/channel-flow.js';
import { queueFor } from '../channels/recipients.js';
import { settleSent } from '../channels/settle-sent.js';
import { insertNew } from '../database/insert-new.js';
import { cancelMessages } from '../rows/cancel-messages.js';
import { channelEvents, channelThreads, eventOf, outgoing, threadOf } from '../tables/channel-flow.js';
import { repliesWithoutConversation } from './forget-person.js';
import type { ConversationScope } from './turn-scope.js';

/** The channel in a turn of a conversation. */
export function conversationChannel({
  dialect,
  select,
  execute,
  conversationId,
}: ConversationScope): ConversationChannel {
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  const statements = { dialect, select, execute, executeOnce: execute };
  return {
    async claimed(ids, attempt) {
      const rows = await select(
        `SELECT * FROM channel_events WHERE id IN (?) AND status = 'running' AND attempts = ? ORDER BY received_at_ms, id${lock}`,
        [ids, attempt],
      );
      return rows.map(eventOf);
    },
    async stored(eventId, userMessageId) {
      const columns = channelEvents.byColumn({ conversationId, userMessageId });
      const set = Object.keys(columns).map((column) => `${column} = ?`);
      await execute(`UPDATE channel_events SET ${set.join(', ')} WHERE id = ?`, [
        ...Object.values(columns),
        eventId,
      ]);
    },
    async endEvents(ids, { status, reason, now }) {
      if (ids.length === 0) return;
      await execute('UPDATE channel_events SET status = ?, reason = ?, ended_at = ? WHERE id IN (?)', [
        status,
        reason,
        now,
        ids,
      ]);
    },
    async endStored({ status, reason, now }) {
      await execute(
        `UPDATE channel_events SET status = ?, reason = ?, ended_at = ?
          WHERE conversation_id = ? AND status IN ('pending', 'running')`,
        [status, reason, now, conversationId],
      );
    },
    async thread() {
      const [row] = await select(
        `SELECT t.*, c.account_id AS connected FROM channel_threads t
          LEFT JOIN channel_connections c ON c.agent_id = t.agent_id AND c.account_id = t.account_id
          WHERE t.conversation_id = ?`,
        [conversationId],
      );
      return row ? { ...threadOf(row), isConnected: row.connected !== null } : null;
    },
    async changeThread(patch) {
      const columns = channelThreads.byColumn(channelThreads.encode(patch));
      const set = Object.keys(columns).map((column) => `${column} = ?`);
      await execute(`UPDATE channel_threads SET ${set.join(', ')} WHERE conversation_id = ?`, [
        ...Object.values(columns),
        conversationId,
      ]);
      if (patch.windowUntilMs !== undefined)
        await execute(
          `UPDATE channel_messages SET expires_at_ms = ? WHERE conversation_id = ? AND status = 'waiting' AND comment_id IS NULL`,
          [patch.windowUntilMs, conversationId],
        );
    },
    async queue(rows) {
      await insertNew(statements, outgoing, rows);
    },
    queueOnce: async (row) => (await insertNew(statements, outgoing, [row])) === 1,
    queueFor: (row, recipient) => queueFor(statements, row, recipient),
    settleSent: async (row, sent) => {
      if (!(await settleSent(statements, row, { ...sent, conversationId }))) return false;
      // The platform may identify the person by another id than in the comment.
      await execute('UPDATE channel_recipients SET person_id = ? WHERE delivery_id = ?', [
        sent.personId,
        row.id,
      ]);
      return true;
    },
    async cancelOfAgent(now) {
      await cancelMessages(statements, now, "conversation_id = ? AND kind <> 'human'", [conversationId]);
      const replies = await repliesWithoutConversation({ select }, conversationId);
      if (replies.length > 0) await cancelMessages(statements, now, 'id IN (?)', [replies]);
    },
  };
}
