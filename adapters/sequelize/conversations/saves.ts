import type { AnswerSave, ConversationSaves } from '../../../core/ports/store/conversations/conversations.js';
import type { Connection } from '../database/connection.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { insertToolCalls } from './tool-call-rows.js';

/** Writes outside of turns: by an answer in progress, and by requests that wait for a busy conversation. */
export function createConversationSaves(connection: Connection, transact: Transact): ConversationSaves {
  const write = <T>(work: (statements: Statements) => Promise<T>): Promise<T> =>
    transact.rawTransaction(async (transaction) => {
      const statements = statementsIn(connection, transaction);
      return work(statements).finally(statements.end);
    });

  /** Returns false and writes nothing if another writer holds the lease, or if the message was deleted. */
  async function saveOne(statements: Statements, save: AnswerSave): Promise<boolean> {
    const { messageId, token, script, toolCalls, leaseUntilMs } = save;
    const { changed } = await (script === null
      ? statements.execute('UPDATE messages SET lease_until_ms = ? WHERE id = ? AND lease_token = ?', [
          leaseUntilMs,
          messageId,
          token,
        ])
      : statements.execute(
          'UPDATE messages SET script = ?, lease_until_ms = ? WHERE id = ? AND lease_token = ?',
          [JSON.stringify(script), leaseUntilMs, messageId, token],
        ));
    if (changed === 0) return false;
    const inserts = insertToolCalls(statements.dialect, save, toolCalls);
    await Promise.all(inserts.map((insert) => statements.execute(...insert)));
    return true;
  }

  return {
    save: (saves) =>
      write(async (statements) => {
        // All processes lock messages in the same order, which prevents deadlocks.
        const ordered = [...saves].sort((a, b) => a.messageId - b.messageId);
        const written = await Promise.all(ordered.map((save) => saveOne(statements, save)));
        return ordered.flatMap(({ messageId }, n) => (written[n] ? [] : [messageId]));
      }),
    typing: (conversationId, from, nowMs, unlessAfterMs) =>
      write(async ({ execute }) => {
        const column = from === 'visitor' ? 'typing_visitor_ms' : 'typing_human_ms';
        await execute(`UPDATE conversations SET ${column} = ? WHERE id = ? AND ${column} <= ?`, [
          nowMs,
          conversationId,
          unlessAfterMs,
        ]);
      }),
    async stopRequests(sinceMs) {
      const rows = await connection.read('SELECT message_id FROM answer_stops WHERE asked_at_ms >= ?', [
        sinceMs,
      ]);
      return rows.map((row) => Number(row.message_id));
    },
    extendWait: (ticket, untilMs) =>
      write(async ({ execute }) => {
        const sql = 'UPDATE conversation_seats SET lease_until_ms = ? WHERE ticket = ?';
        return (await execute(sql, [untilMs, ticket])).changed > 0;
      }),
    leaveQueue: (ticket) =>
      write(async ({ execute }) => {
        await execute('DELETE FROM conversation_seats WHERE ticket = ?', [ticket]);
      }),
  };
}
