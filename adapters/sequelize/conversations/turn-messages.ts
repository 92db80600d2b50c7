import type { MessageRow, NewMessage } from '../../../core/ports/store/conversations/conversation-rows.js';
import type { TurnMessages, TurnToolCalls } from '../../../core/ports/store/conversations/conversations.js';
import type { Row } from '../database/connection.js';
import { insertRow, updateRow } from '../database/row-statements.js';
import { seek } from '../database/seek.js';
import {
  answerColumns,
  answerOf,
  encodeMessage,
  messageColumns,
  messageOf,
  messages,
  toolCallOf,
  toolCalls,
} from '../tables/conversations.js';
import { insertToolCalls } from './tool-call-rows.js';
import type { ConversationScope } from './turn-scope.js';
import { encodeWords } from './word-search.js';

const sized = ['script', 'tools', 'citations', 'sources'] as const;
type Columns = Record<string, unknown>;

const lengthOf = (text: unknown): number => (typeof text === 'string' ? Buffer.byteLength(text) : 0);

const bytesOf = (columns: Columns): number => sized.reduce((sum, name) => sum + lengthOf(columns[name]), 0);

const sizedColumns = (row: Partial<NewMessage>) => {
  const columns = encodeMessage(row);
  return { ...columns, bytes: bytesOf(columns) };
};

/** Returns the size of a stored message after this change, as SQL. */
const bytesAfter = (columns: Columns): string =>
  sized
    .map((name) =>
      columns[name] === undefined ? `COALESCE(OCTET_LENGTH(${name}), 0)` : lengthOf(columns[name]),
    )
    .join(' + ');

const matchedColumns = `id, role, ${answerColumns}`;

const BY_CONVERSATION = 'messages_conversation';

export function turnMessages(scope: ConversationScope): TurnMessages {
  const { dialect, conversationId, conversation, select, execute, defer } = scope;

  const find = async (
    condition: string,
    params: unknown[],
    index: string | null = null,
  ): Promise<MessageRow | null> => {
    const [row] = await select(
      `SELECT ${messageColumns} FROM messages${seek({ dialect }, index)} WHERE conversation_id = ? AND ${condition}`,
      [conversationId, ...params],
    );
    return row ? messageOf(row) : null;
  };

  /** Counts the messages and the tool records in the rows. */
  const counted = (rows: Row[]) => {
    const toolRecords = rows.filter((row) => row.role === 'tool').length;
    return { messages: rows.length - toolRecords, toolRecords };
  };

  const matching = (condition: string, params: unknown[]): Promise<Row[]> =>
    select(`SELECT ${matchedColumns} FROM messages WHERE conversation_id = ? AND ${condition}`, [
      conversationId,
      ...params,
    ]);

  async function remove(rows: Row[]): Promise<void> {
    if (rows.length === 0) return;
    const ids = rows.map((row) => Number(row.id));
    defer('DELETE FROM tool_calls WHERE message_id IN (?)', [ids]);
    const words =
      'DELETE FROM message_words WHERE agent_id = ? AND conversation_id = ? AND message_id IN (?)';
    defer(words, [conversation().agentId, conversationId, ids]);
    defer('DELETE FROM messages WHERE id IN (?)', [ids]);
  }

  return {
    async insert(row) {
      const { agentId } = conversation();
      const { insertedId } = await execute(
        ...insertRow(messages, { ...sizedColumns(row), conversationId, agentId }),
      );
      return insertedId;
    },
    async insertReply(user, answer) {
      const { agentId } = conversation();
      const ofBoth = { conversationId, agentId };
      const { userMessageId: _, ...rest } = answer;
      const lastId = dialect === 'mysql' ? 'LAST_INSERT_ID()' : 'last_insert_rowid()';
      const [first, second] = await Promise.all([
        execute(...insertRow(messages, { ...sizedColumns(user), ...ofBoth })),
        execute(...insertRow(messages, { ...sizedColumns(rest), ...ofBoth }, { userMessageId: lastId })),
      ]);
      return { userMessageId: first.insertedId, messageId: second.insertedId };
    },
    async storeWords(messageId, words) {
      defer('INSERT INTO message_words (agent_id, conversation_id, message_id, words) VALUES (?, ?, ?, ?)', [
        conversation().agentId,
        conversationId,
        messageId,
        encodeWords(words),
      ]);
    },
    find: (messageId) => find('id = ?', [messageId]),
    async tools(messageId) {
      const [row] = await select('SELECT tools FROM messages WHERE id = ? AND conversation_id = ?', [
        messageId,
        conversationId,
      ]);
      return JSON.parse((row?.tools as string | null | undefined) ?? '[]');
    },
    newest: (role, before = Number.MAX_SAFE_INTEGER) =>
      find('draft = 0 AND role = ? AND id < ? ORDER BY id DESC LIMIT 1', [role, before], BY_CONVERSATION),
    async answerTo(userMessageId) {
      const next = await find(
        `draft = 0 AND role <> 'tool' AND id > ? ORDER BY id LIMIT 1`,
        [userMessageId],
        BY_CONVERSATION,
      );
      return next?.role === 'assistant' ? next : null;
    },
    async hasAuthorAfter(messageId) {
      const rows = await select(
        `SELECT id FROM messages${seek({ dialect }, BY_CONVERSATION)} WHERE conversation_id = ? AND draft = 0 AND id > ? AND author IS NOT NULL LIMIT 1`,
        [conversationId, messageId],
      );
      return rows.length > 0;
    },
    async update(messageId, patch) {
      const columns = encodeMessage(patch);
      defer(...updateRow(messages, messageId, columns, { bytes: bytesAfter(columns) }));
    },
    delete: async (messageId) => remove(await matching('id = ?', [messageId])),
    async deleteAfter(messageId) {
      const rows = await matching('draft = 0 AND id > ?', [messageId]);
      await remove(rows);
      return { ...counted(rows), answers: rows.map(answerOf) };
    },
    async promoteDrafts() {
      const rows = await matching('draft = 1', []);
      defer('UPDATE messages SET draft = 0 WHERE conversation_id = ? AND draft = 1', [conversationId]);
      return counted(rows);
    },
    deleteDrafts: async () => remove(await matching('draft = 1', [])),
    async requestStop(messageId, nowMs) {
      const ignore = dialect === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
      defer(`${ignore} INTO answer_stops (message_id, asked_at_ms) VALUES (?, ?)`, [messageId, nowMs]);
    },
    async isStopRequested(messageId) {
      const rows = await select('SELECT message_id FROM answer_stops WHERE message_id = ?', [messageId]);
      return rows.length > 0;
    },
    async forgetStop(messageId) {
      defer('DELETE FROM answer_stops WHERE message_id = ?', [messageId]);
    },
  };
}

export function turnToolCalls(scope: ConversationScope): TurnToolCalls {
  const { conversationId, select, defer } = scope;
  return {
    async find(toolCallId) {
      const [row] = await select('SELECT * FROM tool_calls WHERE id = ? AND conversation_id = ?', [
        toolCallId,
        conversationId,
      ]);
      return row ? toolCallOf(row) : null;
    },
    async ofMessage(messageId) {
      return (await select('SELECT * FROM tool_calls WHERE message_id = ?', [messageId])).map(toolCallOf);
    },
    async insert(messageId, calls) {
      for (const insert of insertToolCalls(scope.dialect, { messageId, conversationId }, calls))
        defer(...insert);
    },
    async update(toolCallId, { state, result }) {
      const written = result === null ? null : JSON.stringify(result);
      const bytes = `OCTET_LENGTH(input) + ${lengthOf(written)}`;
      defer(...updateRow(toolCalls, toolCallId, { state, result: written }, { bytes }));
    },
    async supersede(messageId) {
      defer(`UPDATE tool_calls SET state = 'superseded' WHERE message_id = ? AND state = 'pending'`, [
        messageId,
      ]);
    },
  };
}
