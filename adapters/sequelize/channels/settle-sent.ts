import type { OutgoingRow, Sent } from '../../../core/ports/store/channels/channel-flow.js';
import type { Statements } from '../database/statements.js';

/**
 * Records that a message was sent. Returns false if this is already recorded, or if the message ended before its first
 * attempt.
 */
export async function settleSent(
  { execute }: Pick<Statements, 'execute'>,
  { id }: Pick<OutgoingRow, 'id'>,
  { upstreamHash, personId, conversationId, messageId, now }: Sent,
): Promise<boolean> {
  const { changed } = await execute(
    `UPDATE channel_messages SET status = 'sent', upstream_hash = ?, person_id = ?, sent_at = ?, ended_at = ?, error = NULL,
        conversation_id = COALESCE(conversation_id, ?), message_id = COALESCE(message_id, ?)
      WHERE id = ? AND (status IN ('waiting', 'sending', 'unconfirmed') OR (status = 'cancelled' AND began_at_ms IS NOT NULL))`,
    [upstreamHash, personId, now, now, conversationId, messageId, id],
  );
  return changed === 1;
}
