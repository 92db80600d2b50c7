import { literal } from 'sequelize';
import type { MessageRow, TurnMessages, TurnToolCalls } from '../../../core/ports/conversations.port.js';
import type { Row } from '../connection.js';
import { seek } from '../seek.js';
import { messageColumns, messageOf, messageWrite, toolCallOf } from './conversation-rows.js';
import { insertToolCalls } from './tool-call-rows.js';
import type { ConversationScope } from './turn-scope.js';

/** Columns that make up the size of a message. */
const sized = ['script', 'tools', 'citations'] as const;
type Columns = ReturnType<typeof messageWrite>;

const lengthOf = (text: string | null | undefined): number => (text ? Buffer.byteLength(text) : 0);

const bytesOf = (columns: Columns): number => sized.reduce((sum, name) => sum + lengthOf(columns[name]), 0);

/** The size of a stored message after this change, as SQL. */
const bytesAfter = (columns: Columns) =>
  literal(
    sized
      .map((name) =>
        columns[name] === undefined ? `COALESCE(OCTET_LENGTH(${name}), 0)` : lengthOf(columns[name]),
      )
      .join(' + '),
  );

export function turnMessages(scope: ConversationScope): TurnMessages {
  const { dialect, models, transaction, conversation, select, execute } = scope;

  const inOrder = seek(scope, 'messages_conversation');
  const find = async (condition: string, params: unknown[], index = ''): Promise<MessageRow | null> => {
    const [row] = await select(
      `SELECT ${messageColumns} FROM messages${index} WHERE conversation_id = ? AND ${condition}`,
      [conversation().id, ...params],
    );
    return row ? messageOf(row) : null;
  };

  /** How many messages and tool records there are among the rows. */
  const counted = (rows: Row[]) => {
    const toolRecords = rows.filter((row) => row.role === 'tool').length;
    return { messages: rows.length - toolRecords, toolRecords };
  };

  const matching = (condition: string, params: unknown[]): Promise<Row[]> =>
    select(`SELECT id, role FROM messages WHERE conversation_id = ? AND ${condition}`, [
      conversation().id,
      ...params,
    ]);

  async function remove(rows: Row[]): Promise<void> {
    if (rows.length === 0) return;
    const ids = rows.map((row) => Number(row.id));
    await execute('DELETE FROM tool_calls WHERE message_id IN (?)', [ids]);
    await execute('DELETE FROM messages WHERE id IN (?)', [ids]);
  }

  return {
    async insert(row) {
      const { id: conversationId, agentId } = conversation();
      const columns = messageWrite(row);
      const written = await models.messages.create(
        { ...columns, bytes: bytesOf(columns), conversationId, agentId },
        { transaction },
      );
      return Number(written.get('id'));
    },
    find: (messageId) => find('id = ?', [messageId]),
    async tools(messageId) {
      const [row] = await select('SELECT tools FROM messages WHERE id = ? AND conversation_id = ?', [
        messageId,
        conversation().id,
      ]);
      return JSON.parse((row?.tools as string | null | undefined) ?? '[]');
    },
    newest: (role, before = Number.MAX_SAFE_INTEGER) =>
      find('draft = 0 AND role = ? AND id < ? ORDER BY id DESC LIMIT 1', [role, before], inOrder),
    async answerTo(userMessageId) {
      const next = await find(
        `draft = 0 AND role <> 'tool' AND id > ? ORDER BY id LIMIT 1`,
        [userMessageId],
        inOrder,
      );
      return next?.role === 'assistant' ? next : null;
    },
    async update(messageId, patch) {
      const columns = messageWrite(patch);
      await models.messages.update(
        { ...columns, bytes: bytesAfter(columns) },
        { where: { id: messageId }, transaction },
      );
    },
    delete: async (messageId) => remove(await matching('id = ?', [messageId])),
    async deleteAfter(messageId) {
      const rows = await matching('draft = 0 AND id > ?', [messageId]);
      await remove(rows);
      return counted(rows);
    },
    async promoteDrafts() {
      const rows = await matching('draft = 1', []);
      await execute('UPDATE messages SET draft = 0 WHERE conversation_id = ? AND draft = 1', [
        conversation().id,
      ]);
      return counted(rows);
    },
    deleteDrafts: async () => remove(await matching('draft = 1', [])),
    async askToStop(messageId, nowMs) {
      const ignore = dialect === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
      await execute(`${ignore} INTO answer_stops (message_id, asked_at_ms) VALUES (?, ?)`, [
        messageId,
        nowMs,
      ]);
    },
    async askedToStop(messageId) {
      const rows = await select('SELECT message_id FROM answer_stops WHERE message_id = ?', [messageId]);
      return rows.length > 0;
    },
    forgetStop: (messageId) => execute('DELETE FROM answer_stops WHERE message_id = ?', [messageId]),
  };
}

export function turnToolCalls({
  models,
  transaction,
  conversation,
  select,
  execute,
}: ConversationScope): TurnToolCalls {
  return {
    async find(toolCallId) {
      const [row] = await select('SELECT * FROM tool_calls WHERE id = ? AND conversation_id = ?', [
        toolCallId,
        conversation().id,
      ]);
      return row ? toolCallOf(row) : null;
    },
    async ofMessage(messageId) {
      return (await select('SELECT * FROM tool_calls WHERE message_id = ?', [messageId])).map(toolCallOf);
    },
    insert: (messageId, calls) =>
      insertToolCalls(models, transaction, { messageId, conversationId: conversation().id }, calls),
    async update(toolCallId, { state, result }) {
      const written = result === null ? null : JSON.stringify(result);
      await models.toolCalls.update(
        { state, result: written, bytes: literal(`OCTET_LENGTH(input) + ${lengthOf(written)}`) },
        { where: { id: toolCallId }, transaction },
      );
    },
    supersede: (messageId) =>
      execute(`UPDATE tool_calls SET state = 'superseded' WHERE message_id = ? AND state = 'pending'`, [
        messageId,
      ]),
  };
}
