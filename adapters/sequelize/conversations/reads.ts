import { mapInSlices } from '../../../core/fairness/time-slices.js';
import type {
  AgentFilter,
  ConversationReads,
} from '../../../core/ports/store/conversations/conversations.js';
import { limits } from '../../../core/schemas/limits.js';
import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { readOnDisk } from '../database/read-on-disk.js';
import { seek } from '../database/seek.js';
import {
  conversationOf,
  creditOf,
  creditTotalsOf,
  headColumns,
  headOf,
  keyOf,
  messageColumns,
  messageOf,
  queuedRequestOf,
  toolCallOf,
  toolCallProgressOf,
} from '../tables/conversations.js';
import { createSummaries } from './last-messages.js';
import { createConversationLists } from './lists.js';

const creditSums = ['answers', 'credits', 'input_tokens', 'output_tokens']
  .map((column) => `SUM(${column}) AS ${column}`)
  .join(', ');

const marks = (list: unknown[]): string => list.map(() => '?').join(', ');

/** Reads for requests. Each is one indexed statement on a plain connection. */
export function createConversationReads(connection: Connection): ConversationReads {
  const { read } = connection;
  const one = async <T>(decode: (row: Row) => T, sql: string, params: unknown[]): Promise<T | null> => {
    const [row] = await read(sql, params);
    return row ? decode(row) : null;
  };

  return {
    agentExists: async (agentId) =>
      (await readOnDisk(connection, 'SELECT id FROM agents WHERE id = ?', [agentId])).length > 0,
    conversation: (agentId, conversationId) =>
      one(conversationOf, 'SELECT * FROM conversations WHERE id = ? AND agent_id = ?', [
        conversationId,
        agentId,
      ]),
    ...createConversationLists(connection),
    ...createSummaries(connection),
    message: (conversationId, messageId) =>
      one(messageOf, `SELECT ${messageColumns} FROM messages WHERE id = ? AND conversation_id = ?`, [
        messageId,
        conversationId,
      ]),
    async messages(conversationId, { limit, before }) {
      const older = before === null ? '' : ' AND id < ?';
      const rows = await read(
        `SELECT ${messageColumns} FROM messages${seek(connection, 'messages_conversation')} WHERE conversation_id = ? AND draft = 0${older} ORDER BY id DESC LIMIT ${limit + 1}`,
        before === null ? [conversationId] : [conversationId, Number(before)],
      );
      return mapInSlices(rows, messageOf);
    },
    async fitting(conversationId, { limit, before }, mostBytes) {
      const older = before === null ? '' : ' AND id < ?';
      const rows = await read(
        `SELECT OCTET_LENGTH(script) + COALESCE(OCTET_LENGTH(citations), 0) + COALESCE(OCTET_LENGTH(sources), 0) AS bytes
          FROM messages${seek(connection, 'messages_conversation')} WHERE conversation_id = ? AND draft = 0${older} ORDER BY id DESC LIMIT ${limit}`,
        before === null ? [conversationId] : [conversationId, Number(before)],
      );
      let bytes = 0;
      for (const [n, row] of rows.entries()) {
        const own = limits.chat.messageBytes + Number(row.bytes);
        if (n > 0 && bytes + own > mostBytes) return { messages: n, bytes };
        bytes += own;
      }
      return { messages: limit, bytes };
    },
    newest: (conversationId) =>
      one(
        messageOf,
        `SELECT ${messageColumns} FROM messages${seek(connection, 'messages_conversation')} WHERE conversation_id = ? AND draft = 0 AND role <> 'tool' ORDER BY id DESC LIMIT 1`,
        [conversationId],
      ),
    answerTo: (conversationId, userMessageId) =>
      one(
        messageOf,
        `SELECT ${messageColumns} FROM messages${seek(connection, 'messages_conversation')} WHERE conversation_id = ? AND draft = 0 AND id > ? AND user_message_id = ? ORDER BY id DESC LIMIT 1`,
        [conversationId, userMessageId, userMessageId],
      ),
    async heads(ids) {
      if (ids.length === 0) return [];
      const sql = `SELECT ${headColumns} FROM conversations WHERE id IN (?)`;
      return (await read(...withLists(sql, [ids]))).map(headOf);
    },
    async messagesBetween(conversationId, { after, upTo }, limit) {
      const rows = await read(
        `SELECT ${messageColumns} FROM messages${seek(connection, 'messages_conversation')} WHERE conversation_id = ? AND draft = 0 AND position > ? AND position <= ? ORDER BY position LIMIT ${limit}`,
        [conversationId, after, upTo],
      );
      return mapInSlices(rows, messageOf);
    },
    async toolCalls(messageIds) {
      if (messageIds.length === 0) return [];
      const rows = await read(
        `SELECT * FROM tool_calls WHERE message_id IN (${marks(messageIds)})`,
        messageIds,
      );
      return mapInSlices(rows, toolCallOf);
    },
    async toolCallStates(messageIds) {
      if (messageIds.length === 0) return [];
      const rows = await read(
        `SELECT id, state, expires_at FROM tool_calls WHERE message_id IN (${marks(messageIds)})`,
        messageIds,
      );
      return rows.map(toolCallProgressOf);
    },
    async key(agentId, keyHash) {
      const sql = 'SELECT * FROM chat_keys WHERE agent_id = ? AND key_hash = ?';
      const [row] = await readOnDisk(connection, sql, [agentId, keyHash]);
      return row ? keyOf(row) : null;
    },
    async queue(conversationId, nowMs) {
      const [row] = await read('SELECT active_message_id FROM conversations WHERE id = ?', [conversationId]);
      if (!row) return null;
      const queued = await read(
        'SELECT * FROM conversation_seats WHERE conversation_id = ? AND lease_until_ms >= ? ORDER BY ticket',
        [conversationId, nowMs],
      );
      return {
        activeMessageId: row.active_message_id === null ? null : Number(row.active_message_id),
        queued: queued.map(queuedRequestOf),
      };
    },
    async credits(workspaceId, fromDay, limit, agentIds) {
      const [only, ids] = among('agent_id', agentIds);
      const rows = await read(
        ...withLists(
          `SELECT counted_on, agent_id, model, ${creditSums} FROM credit_counts WHERE workspace_id = ? AND counted_on >= ?${only}
            GROUP BY counted_on, agent_id, model ORDER BY counted_on DESC, agent_id, model LIMIT ${limit}`,
          [workspaceId, fromDay, ...ids],
        ),
      );
      return rows.map(creditOf);
    },
    async storedBytes(workspaceId, agentIds) {
      const [only, ids] = among('id', agentIds);
      const ofWorkspace =
        workspaceId === null
          ? ''
          : ` WHERE agent_id IN (SELECT id FROM agents WHERE workspace_id = ?${only})`;
      const [row] = await read(
        ...withLists(
          `SELECT COALESCE(SUM(bytes), 0) AS bytes FROM conversation_counts${ofWorkspace}`,
          workspaceId === null ? [] : [workspaceId, ...ids],
        ),
      );
      return Number(row?.bytes ?? 0);
    },
    async creditTotals(workspaceId, fromDay, agentIds) {
      const [only, ids] = among('agent_id', agentIds);
      const [row] = await read(
        ...withLists(
          `SELECT ${creditSums} FROM credit_counts WHERE workspace_id = ? AND counted_on >= ?${only}`,
          [workspaceId, fromDay, ...ids],
        ),
      );
      return creditTotalsOf(row as Row);
    },
  };
}

/** Returns a condition on agents with its parameters; both are empty for all agents. */
const among = (column: string, agentIds: AgentFilter = null): [condition: string, params: unknown[]] =>
  agentIds === null ? ['', []] : [` AND ${column} IN (?)`, [agentIds]];
