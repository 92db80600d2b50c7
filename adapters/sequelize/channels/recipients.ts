import type { OutgoingRow, Recipient } from '../../../core/ports/store/channels/channel-flow.js';
import { insertNew } from '../database/insert-new.js';
import type { Statements } from '../database/statements.js';
import { channelRecipients, outgoing } from '../tables/channel-flow.js';

/** Messages with these statuses never reached the person. */
const UNSENT = "('failed', 'expired', 'cancelled')";

/**
 * Queues the message of an automation. Returns false and queues nothing if a message to this recipient for this target
 * was already sent or is queued.
 */
export async function queueFor(
  { dialect, select, execute, executeOnce }: Omit<Statements, 'end'>,
  row: OutgoingRow,
  { targetKey, personId }: Recipient,
): Promise<boolean> {
  const { id: deliveryId, agentId, accountId } = row;
  const recipient = { agentId, targetKey, accountId, personId, deliveryId };
  const isFirst = (await insertNew({ dialect, executeOnce }, channelRecipients, [recipient])) === 1;
  if (!isFirst) {
    const [unsent] = await select(
      `SELECT m.id FROM channel_recipients r JOIN channel_messages m ON m.id = r.delivery_id
        WHERE r.agent_id = ? AND r.target_key = ? AND m.status IN ${UNSENT}`,
      [agentId, targetKey],
    );
    if (!unsent) return false;
    const { changed } = await execute(
      'UPDATE channel_recipients SET delivery_id = ? WHERE agent_id = ? AND target_key = ? AND delivery_id = ?',
      [deliveryId, agentId, targetKey, unsent.id],
    );
    if (changed === 0) return false;
  }
  await insertNew({ dialect, executeOnce }, outgoing, [row]);
  return true;
}

/** Deletes the recipients of the unsent messages among these. Call it before the messages are deleted. */
export async function forgetUnsent({ execute }: Pick<Statements, 'execute'>, ids: string[]): Promise<void> {
  await execute(
    `DELETE FROM channel_recipients WHERE delivery_id IN (?)
      AND delivery_id IN (SELECT id FROM channel_messages WHERE id IN (?) AND status IN ${UNSENT})`,
    [ids, ids],
  );
}
