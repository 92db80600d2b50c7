import { QueryTypes, type Transaction } from 'sequelize';
import {
  ConversationGone,
  type ConversationRow,
  type ConversationTurn,
  type ConversationTurns,
} from '../../../core/ports/conversations.port.js';
import type { Connection, Row } from '../connection.js';
import type { Transact } from '../transact.js';
import type { ConversationModels } from './conversation-models.js';
import { conversationColumns, conversationOf } from './conversation-rows.js';
import { turnCounters } from './turn-counters.js';
import { turnKeys, turnLine } from './turn-line.js';
import { turnMessages, turnToolCalls } from './turn-messages.js';
import type { ConversationScope } from './turn-scope.js';

export function createConversationTurns(
  { sequelize, dialect }: Connection,
  models: ConversationModels,
  transact: Transact,
): ConversationTurns {
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';

  /** `countedBytes` is the size of the stored conversation; null if this turn creates it. */
  async function take<T>(
    transaction: Transaction,
    stored: ConversationRow,
    countedBytes: number | null,
    work: (turn: ConversationTurn) => Promise<T>,
  ): Promise<T> {
    let row = stored;
    let deleted = false;
    const scope: ConversationScope = {
      dialect,
      models,
      transaction,
      conversation: () => row,
      select: (sql, params) =>
        sequelize.query<Row>(sql, { replacements: params, transaction, type: QueryTypes.SELECT }),
      async execute(sql, params) {
        await sequelize.query(sql, { replacements: params, transaction });
      },
    };
    const messages = turnMessages(scope);
    const counters = turnCounters(scope);
    const result = await work({
      get conversation() {
        return row;
      },
      change(patch) {
        row = { ...row, ...patch };
      },
      async agentExists() {
        const found = await scope.select('SELECT id FROM agents WHERE id = ?', [row.agentId]);
        return found.length > 0;
      },
      async delete(nowMs) {
        if (row.activeMessageId !== null) await messages.askToStop(row.activeMessageId, nowMs);
        for (const table of ['tool_calls', 'messages', 'conversation_seats'])
          await scope.execute(`DELETE FROM ${table} WHERE conversation_id = ?`, [row.id]);
        await scope.execute('DELETE FROM conversations WHERE id = ?', [row.id]);
        counters.countConversation(-1);
        counters.countBytes(-(countedBytes ?? 0));
        deleted = true;
      },
      messages,
      toolCalls: turnToolCalls(scope),
      line: turnLine(scope),
      keys: turnKeys(scope),
      spoken: counters.spoken,
      writeSpoken: counters.writeSpoken,
      charge: counters.charge,
    });
    const isNew = countedBytes === null;
    if (!deleted && (isNew || row !== stored)) {
      // An answer in progress is counted when it ends: it is saved outside of turns.
      const isIdle = row.activeMessageId === null;
      const bytes = isIdle ? await storedBytes(scope, row.id) : (countedBytes ?? 0);
      counters.countBytes(bytes - (countedBytes ?? 0));
      const columns = { ...conversationColumns(row), bytes };
      if (isNew) {
        await models.conversations.create(columns, { transaction });
        counters.countConversation(1);
      } else await models.conversations.update(columns, { where: { id: row.id }, transaction });
    }
    // Last, because others of the agent write these rows, too: they are held for the length of the commit only.
    await counters.write();
    return result;
  }

  return {
    run: (conversationId, work, workspaceId) =>
      transact(async (transaction) => {
        const [found] = await sequelize.query<Row>(`SELECT * FROM conversations WHERE id = ?${lock}`, {
          replacements: [conversationId],
          transaction,
          type: QueryTypes.SELECT,
        });
        if (!found) throw new ConversationGone(conversationId);
        return take(transaction, conversationOf(found), Number(found.bytes), work);
      }, workspaceId),
    begin: (conversation, work) =>
      transact((transaction) => take(transaction, conversation, null, work), conversation.workspaceId),
  };
}

/** UTF-8 bytes of the conversation's messages and tool calls. */
async function storedBytes({ select }: ConversationScope, id: string): Promise<number> {
  const [row] = await select(
    `SELECT (SELECT COALESCE(SUM(bytes), 0) FROM messages WHERE conversation_id = ?)
      + (SELECT COALESCE(SUM(bytes), 0) FROM tool_calls WHERE conversation_id = ?) AS bytes`,
    [id, id],
  );
  return Number(row?.bytes ?? 0);
}
