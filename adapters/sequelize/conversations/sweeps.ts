import { QueryTypes } from 'sequelize';
import type { ConversationSweeps } from '../../../core/ports/store/conversations/conversations.js';
import type { Connection } from '../database/connection.js';
import type { Transact } from '../database/transact.js';

/** Queries of the sweeps; each is one indexed statement. */
export function createConversationSweeps(
  { sequelize, dialect, read }: Connection,
  transact: Transact,
): ConversationSweeps {
  /** Deletes at most `limit` rows, oldest first. */
  const forget = async (
    table: string,
    column: string,
    before: number | string,
    limit: number,
  ): Promise<number> => {
    const [row] = await read(
      `SELECT ${column} AS at FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT 1`,
      [before],
    );
    if (!row) return 0;
    const some =
      dialect === 'mysql'
        ? `DELETE FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ${limit}`
        : `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ${limit})`;
    return transact((transaction) =>
      sequelize.query(some, { replacements: [before], transaction, type: QueryTypes.BULKDELETE }),
    );
  };

  return {
    async lostAnswers(nowMs, limit) {
      const rows = await read(
        `SELECT id, conversation_id FROM messages WHERE lease_until_ms < ? ORDER BY lease_until_ms LIMIT ${limit}`,
        [nowMs],
      );
      return rows.map((row) => ({
        messageId: Number(row.id),
        conversationId: row.conversation_id as string,
      }));
    },
    async silentSince(before, limit) {
      const rows = await read(
        `SELECT id FROM conversations WHERE updated_at < ? ORDER BY updated_at LIMIT ${limit}`,
        [before],
      );
      return rows.map((row) => row.id as string);
    },
    async anonymousSince(before, limit) {
      const rows = await read(
        `SELECT id FROM conversations WHERE source = 'widget' AND anonymous_at < ? AND updated_at < ?
          ORDER BY anonymous_at LIMIT ${limit}`,
        [before, before],
      );
      return rows.map((row) => row.id as string);
    },
    async forget({ keys, spokenMs, stopsMs, resolved, countsDay, visitorsDay }, limit) {
      return (
        (await forget('chat_keys', 'created_at', keys, limit)) +
        (await forget('chat_subjects', 'spoken_at_ms', spokenMs, limit)) +
        (await forget('answer_stops', 'asked_at_ms', stopsMs, limit)) +
        (await forget('resolved_questions', 'created_at', resolved, limit)) +
        (await forget('agent_counts', 'counted_on', countsDay, limit)) +
        (await forget('agent_visitors', 'counted_on', visitorsDay, limit))
      );
    },
  };
}
