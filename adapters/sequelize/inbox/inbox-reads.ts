import type { ConversationState } from '../../../core/ports/store/conversations/conversation-rows.js';
import type {
  InboxChange,
  InboxFilter,
  InboxReads,
  InboxRow,
} from '../../../core/ports/store/conversations/inbox.js';
import { MOST_COUNTED } from '../../../core/ports/store/pages.js';
import { LAST_MESSAGE, messagesById } from '../conversations/last-messages.js';
import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { seek } from '../database/seek.js';
import { conversationOf } from '../tables/conversations.js';

type Condition = [sql: string, ...params: unknown[]];

const changeOf = (row: Row): InboxChange => ({
  conversationId: row.id as string,
  agentId: row.agent_id as string,
  workspaceId: row.workspace_id as string,
  changedAtMs: Number(row.inbox_changed_at_ms),
});

export function createInboxReads(connection: Connection): InboxReads {
  const { read } = connection;
  const from = `FROM conversations${seek(connection, 'conversations_inbox')}`;

  function conditionsOf(
    { workspaceId, agentIds, assigneeId }: InboxFilter,
    state: ConversationState,
    nowMs: number,
  ): Condition[] {
    const conditions: Condition[] = [
      ['state = ?', state],
      ['workspace_id = ?', workspaceId],
    ];
    // The end of a pause is not stored.
    if (state === 'human') conditions.push(['(human_until_ms IS NULL OR human_until_ms > ?)', nowMs]);
    if (agentIds !== null) conditions.push(['agent_id IN (?)', agentIds]);
    if (assigneeId === null) conditions.push(['assignee_id IS NULL']);
    else if (assigneeId !== undefined) conditions.push(['assignee_id = ?', assigneeId]);
    return conditions;
  }

  const where = (conditions: Condition[]): string => conditions.map(([sql]) => sql).join(' AND ');
  const values = (conditions: Condition[]): unknown[] => conditions.flatMap(([, ...params]) => params);

  return {
    async page(filter, { limit, before }, nowMs) {
      const [place, id] = before === null ? [null, null] : (before.split(' ') as [string, string]);
      const after: Condition[] =
        place === null
          ? []
          : [['inbox_place >= ? AND (inbox_place > ? OR id > ?)', Number(place), Number(place), id]];
      // One range of the index for each state.
      const found = await Promise.all(
        filter.states.map((state) => {
          const conditions = [...conditionsOf(filter, state, nowMs), ...after];
          return read(
            ...withLists(
              `SELECT conversations.*, ${LAST_MESSAGE} ${from} WHERE ${where(conditions)} ORDER BY inbox_place, id LIMIT ${limit + 1}`,
              values(conditions),
            ),
          );
        }),
      );
      const rows = found.flat().map((row) => ({
        row,
        at: Number(row.inbox_place),
        id: row.id as string,
      }));
      rows.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
      const shown = rows.slice(0, limit + 1);
      const ids = shown.flatMap(({ row }) =>
        row.last_message_id === null ? [] : Number(row.last_message_id),
      );
      const messages = await messagesById(connection, ids);
      return shown.map(
        ({ row, at, id: conversationId }): InboxRow => ({
          place: `${at} ${conversationId}`,
          conversation: conversationOf(row),
          lastMessage: messages.get(Number(row.last_message_id)) ?? null,
        }),
      );
    },
    async count(filter, nowMs) {
      const counts = await Promise.all(
        filter.states.map(async (state) => {
          const conditions = conditionsOf(filter, state, nowMs);
          const [row] = await read(
            ...withLists(
              `SELECT COUNT(*) AS n FROM (SELECT id ${from} WHERE ${where(conditions)} LIMIT ${MOST_COUNTED}) AS counted`,
              values(conditions),
            ),
          );
          return Number(row?.n ?? 0);
        }),
      );
      return Math.min(
        MOST_COUNTED,
        counts.reduce((sum, n) => sum + n, 0),
      );
    },
    async lastChangedAtMs() {
      const [row] = await read('SELECT MAX(inbox_changed_at_ms) AS at FROM conversations', []);
      return Number(row?.at ?? 0);
    },
    async changes({ changedAtMs, conversationId }, limit, workspaceId) {
      const ofWorkspace = workspaceId === undefined ? '' : ' AND workspace_id = ?';
      const rows = await read(
        `SELECT id, agent_id, workspace_id, inbox_changed_at_ms FROM conversations${seek(connection, 'conversations_inbox_changed')}
          WHERE inbox_changed_at_ms >= ? AND (inbox_changed_at_ms > ? OR id > ?)${ofWorkspace}
          ORDER BY inbox_changed_at_ms, id LIMIT ${limit}`,
        [changedAtMs, changedAtMs, conversationId, ...(workspaceId === undefined ? [] : [workspaceId])],
      );
      return rows.map(changeOf);
    },
  };
}
