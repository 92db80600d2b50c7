import type { Transaction } from 'sequelize';
import { QueryTypes } from 'sequelize';
import type { AnswerSave, ConversationSaves } from '../../../core/ports/conversations.port.js';
import type { Connection } from '../connection.js';
import type { Transact } from '../transact.js';
import type { ConversationModels } from './conversation-models.js';
import { insertToolCalls } from './tool-call-rows.js';

/** Writes outside of turns: by an answer under way, and by those who wait in line. */
export function createConversationSaves(
  { sequelize, read }: Connection,
  models: ConversationModels,
  transact: Transact,
): ConversationSaves {
  const update = async (sql: string, bind: unknown[], transaction: Transaction): Promise<number> => {
    const [, written] = await sequelize.query(sql, { bind, transaction, type: QueryTypes.UPDATE });
    return written;
  };

  /** False when the lease is somebody else's, or the message is gone: then nothing is written. */
  async function saveOne(save: AnswerSave, transaction: Transaction): Promise<boolean> {
    const { messageId, token, script, toolCalls, leaseUntilMs } = save;
    const written =
      script === null
        ? await update(
            'UPDATE messages SET lease_until_ms = $1 WHERE id = $2 AND lease_token = $3',
            [leaseUntilMs, messageId, token],
            transaction,
          )
        : await update(
            'UPDATE messages SET script = $1, lease_until_ms = $2 WHERE id = $3 AND lease_token = $4',
            [JSON.stringify(script), leaseUntilMs, messageId, token],
            transaction,
          );
    if (written === 0) return false;
    await insertToolCalls(models, transaction, save, toolCalls);
    return true;
  }

  return {
    save: (saves) =>
      transact(async (transaction) => {
        const lost: number[] = [];
        // Always in the same order: two processes never wait for each other's rows crosswise.
        for (const save of [...saves].sort((a, b) => a.messageId - b.messageId)) {
          if (!(await saveOne(save, transaction))) lost.push(save.messageId);
        }
        return lost;
      }),
    async stopsAsked(sinceMs) {
      const rows = await read('SELECT message_id FROM answer_stops WHERE asked_at_ms >= ?', [sinceMs]);
      return rows.map((row) => Number(row.message_id));
    },
    keepSeat: (ticket, untilMs) =>
      transact(async (transaction) => {
        const [written] = await models.seats.update(
          { leaseUntilMs: untilMs },
          { where: { ticket }, transaction },
        );
        return written > 0;
      }),
    leaveSeat: (ticket) =>
      transact(async (transaction) => {
        await models.seats.destroy({ where: { ticket }, transaction });
      }),
  };
}
