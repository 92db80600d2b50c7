import type { TurnKeys, TurnQueue } from '../../../core/ports/store/conversations/conversations.js';
import { KeyTaken } from '../../../core/ports/store/store-errors.js';
import { isDuplicate } from '../database/errors.js';
import { insertRow } from '../database/row-statements.js';
import { keyOf, queuedRequestOf, queuedRequests } from '../tables/conversations.js';
import type { ConversationScope } from './turn-scope.js';

export function turnQueue({ conversationId, select, execute, defer }: ConversationScope): TurnQueue {
  return {
    async queued(nowMs) {
      const rows = await select(
        'SELECT * FROM conversation_seats WHERE conversation_id = ? ORDER BY ticket',
        [conversationId],
      );
      const left = rows.filter((row) => Number(row.lease_until_ms) < nowMs);
      if (left.length > 0) {
        const tickets = left.map((row) => Number(row.ticket));
        defer('DELETE FROM conversation_seats WHERE ticket IN (?)', [tickets]);
      }
      return rows.filter((row) => Number(row.lease_until_ms) >= nowMs).map(queuedRequestOf);
    },
    async join(keyHash, leaseUntilMs) {
      const entry = queuedRequests.encode({ conversationId, keyHash, leaseUntilMs });
      const { insertedId } = await execute(...insertRow(queuedRequests, entry));
      return insertedId;
    },
    async leave(ticket) {
      defer('DELETE FROM conversation_seats WHERE ticket = ?', [ticket]);
    },
  };
}

export function turnKeys({ conversation, select, execute }: ConversationScope): TurnKeys {
  const find: TurnKeys['find'] = async (keyHash) => {
    const [row] = await select('SELECT * FROM chat_keys WHERE agent_id = ? AND key_hash = ?', [
      conversation().agentId,
      keyHash,
    ]);
    return row ? keyOf(row) : null;
  };
  return {
    find,
    async bind({ keyHash, fingerprint, userMessageId, messageId, createdAt }) {
      const { id, agentId } = conversation();
      if (await find(keyHash)) {
        await execute(
          'UPDATE chat_keys SET user_message_id = ?, message_id = ? WHERE agent_id = ? AND key_hash = ? AND fingerprint = ?',
          [userMessageId, messageId, agentId, keyHash, fingerprint],
        );
        return;
      }
      try {
        await execute(
          `INSERT INTO chat_keys (agent_id, key_hash, fingerprint, conversation_id, user_message_id, message_id, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)`,
          [agentId, keyHash, fingerprint, id, userMessageId, messageId, createdAt],
        );
      } catch (error) {
        throw isDuplicate(error) ? new KeyTaken() : error;
      }
    },
  };
}
