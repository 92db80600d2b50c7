import { mapInSlices } from '../../../core/fairness/time-slices.js';
import type { ConversationFilter, ConversationReads } from '../../../core/ports/store/conversations.js';
import type { PageRequest } from '../../../core/ports/store/pages.js';
import { limits } from '../../../core/schemas/limits.js';
import type { Connection, Row } from '../database/connection.js';
import { readOnDisk } from '../database/read-on-disk.js';
import { seek } from '../database/seek.js';
import {
  conversationOf,
  creditOf,
  creditTotalsOf,
  keyOf,
  messageColumns,
  messageOf,
  queuedRequestOf,
  toolCallOf,
  toolCallProgressOf,
} from '../tables/conversations.js';

const creditSums = ['answers', 'credits', 'input_tokens', 'output_tokens']
  .map((column) => `SUM(${column}) AS ${column}`)
  .join(', ');

type Condition = [sql: string, value: unknown];

/** The smallest UUID v7 of this second. Ids contain their time, so ranges of dates are ranges of ids. */
function firstIdOf(second: number): string {
  const ms = Math.min(Math.max(second, 0) * 1000, 2 ** 48 - 1);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

function conditionsOf(agentId: string, filter: ConversationFilter): Condition[] {
  const conditions: Condition[] = [['agent_id = ?', agentId]];
  if (filter.source !== undefined) conditions.push(['source = ?', filter.source]);
  if (filter.userId !== undefined) conditions.push(['user_id = ?', filter.userId]);
  if (filter.conversationId !== undefined) conditions.push(['id = ?', filter.conversationId]);
  if (filter.startDate !== undefined) conditions.push(['id >= ?', firstIdOf(filter.startDate)]);
  if (filter.endDate !== undefined) conditions.push(['id < ?', firstIdOf(filter.endDate + 1)]);
  return conditions;
}

/** The list to page through; null for one conversation. */
function indexOf({ conversationId, userId, source }: ConversationFilter): string | null {
  if (conversationId !== undefined) return null;
  if (userId !== undefined) return 'conversations_user';
  return source === undefined ? 'conversations_agent' : 'conversations_source';
}

const where = (conditions: Condition[]): string => conditions.map(([sql]) => sql).join(' AND ');
const values = (conditions: Condition[]): unknown[] => conditions.map(([, value]) => value);
const marks = (list: unknown[]): string => list.map(() => '?').join(', ');

/** Reads for requests. Each is one indexed statement on a plain connection. */
export function createConversationReads(connection: Connection): ConversationReads {
  const { read } = connection;
  const one = async <T>(decode: (row: Row) => T, sql: string, params: unknown[]): Promise<T | null> => {
    const [row] = await read(sql, params);
    return row ? decode(row) : null;
  };

  const page = async (
    agentId: string,
    filter: ConversationFilter,
    { limit, before }: PageRequest,
    order: 'ASC' | 'DESC',
  ) => {
    const conditions = conditionsOf(agentId, filter);
    if (before !== null) conditions.push([order === 'DESC' ? 'id < ?' : 'id > ?', before]);
    const rows = await read(
      `SELECT * FROM conversations${seek(connection, indexOf(filter))} WHERE ${where(conditions)} ORDER BY id ${order} LIMIT ${limit + 1}`,
      values(conditions),
    );
    return rows.map(conversationOf);
  };

  return {
    conversation: (agentId, conversationId) =>
      one(conversationOf, 'SELECT * FROM conversations WHERE id = ? AND agent_id = ?', [
        conversationId,
        agentId,
      ]),
    page: (agentId, filter, request) => page(agentId, filter, request, 'DESC'),
    export: (agentId, filter, request) => page(agentId, filter, request, 'ASC'),
    async count(agentId, filter) {
      const { source, ...others } = filter;
      const counted = Object.values(others).every((value) => value === undefined);
      const conditions = conditionsOf(agentId, filter);
      const [row] = await read(
        counted
          ? `SELECT COALESCE(SUM(conversations), 0) AS n FROM conversation_counts WHERE ${where(conditions)}`
          : `SELECT COUNT(*) AS n FROM conversations WHERE ${where(conditions)}`,
        values(conditions),
      );
      return Number(row?.n ?? 0);
    },
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
        `SELECT OCTET_LENGTH(script) + COALESCE(OCTET_LENGTH(citations), 0) AS bytes
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
    async credits(workspaceId, fromDay, limit) {
      const rows = await read(
        `SELECT counted_on, agent_id, model, ${creditSums} FROM credit_counts WHERE workspace_id = ? AND counted_on >= ?
          GROUP BY counted_on, agent_id, model ORDER BY counted_on DESC, agent_id, model LIMIT ${limit}`,
        [workspaceId, fromDay],
      );
      return rows.map(creditOf);
    },
    async storedBytes(workspaceId) {
      const ofWorkspace =
        workspaceId === null ? '' : ' WHERE agent_id IN (SELECT id FROM agents WHERE workspace_id = ?)';
      const [row] = await read(
        `SELECT COALESCE(SUM(bytes), 0) AS bytes FROM conversation_counts${ofWorkspace}`,
        workspaceId === null ? [] : [workspaceId],
      );
      return Number(row?.bytes ?? 0);
    },
    async creditTotals(workspaceId, fromDay) {
      const [row] = await read(
        `SELECT ${creditSums} FROM credit_counts WHERE workspace_id = ? AND counted_on >= ?`,
        [workspaceId, fromDay],
      );
      return creditTotalsOf(row as Row);
    },
  };
}
