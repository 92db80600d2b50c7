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

/** Agents of the workspace; null for all of it. */
type Agents = readonly string[] | null;

/** Conversations of a state in an index. */
interface Range {
  from: string;
  where: string;
  params: unknown[];
}

const changeOf = (row: Row): InboxChange => ({
  conversationId: row.id as string,
  agentId: row.agent_id as string,
  workspaceId: row.workspace_id as string,
  changedAtMs: Number(row.inbox_changed_at_ms),
});

export function createInboxReads(connection: Connection): InboxReads {
  const { read } = connection;

  /** Returns the conversations of a state. Null if none can fit. */
  function rangeOf(
    { workspaceId, assigneeId }: InboxFilter,
    { state, agents, nowMs }: { state: ConversationState; agents: Agents; nowMs: number },
  ): Range | null {
    const ofAgents = agents !== null;
    const index = ofAgents ? 'conversations_inbox_agent' : 'conversations_inbox';
    const from = `FROM conversations${seek(connection, index)}`;
    const where = `state = ? AND ${ofAgents ? 'agent_id IN (?)' : 'workspace_id = ?'}`;
    const params = [state, agents ?? workspaceId];
    // Only a conversation that a person answers has an assignee, or a pause. A sweep stores the end of a pause later.
    if (state !== 'human') return typeof assigneeId === 'string' ? null : { from, where, params };
    const paused = `${where} AND (human_until_ms IS NULL OR human_until_ms > ?)`;
    if (assigneeId === undefined) return { from, where: paused, params: [...params, nowMs] };
    if (assigneeId === null)
      return { from, where: `${paused} AND assignee_id IS NULL`, params: [...params, nowMs] };
    return { from, where: `${paused} AND assignee_id = ?`, params: [...params, nowMs, assigneeId] };
  }

  const rangesOf = (filter: InboxFilter, agents: readonly Agents[], nowMs: number): Range[] =>
    filter.states
      .flatMap((state) => agents.map((some) => rangeOf(filter, { state, agents: some, nowMs })))
      .filter((range) => range !== null);

  return {
    async page(filter, { limit, before }, nowMs) {
      const [place, id] = before === null ? [null, null] : (before.split(' ') as [string, string]);
      const after = place === null ? '' : ' AND inbox_place >= ? AND (inbox_place > ? OR id > ?)';
      const position = place === null ? [] : [Number(place), Number(place), id];
      // The index has the order of one agent at a time.
      const ranges = rangesOf(filter, filter.agentIds?.map((agentId) => [agentId]) ?? [null], nowMs);
      if (ranges.length === 0) return [];
      const pages = ranges.map(
        ({ from, where }, n) =>
          `SELECT * FROM (SELECT id, inbox_place ${from} WHERE ${where}${after}
            ORDER BY inbox_place, id LIMIT ${limit + 1}) AS range_${n}`,
      );
      const found = await read(
        ...withLists(
          pages.join(' UNION ALL '),
          ranges.flatMap(({ params }) => [...params, ...position]),
        ),
      );
      const places = found.map((row) => ({ at: Number(row.inbox_place), id: row.id as string }));
      places.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
      const shown = places.slice(0, limit + 1);
      if (shown.length === 0) return [];
      const stored = await read(
        ...withLists(`SELECT conversations.*, ${LAST_MESSAGE} FROM conversations WHERE id IN (?)`, [
          shown.map((row) => row.id),
        ]),
      );
      const rows = new Map(stored.map((row) => [row.id, row]));
      const ids = stored.flatMap((row) => (row.last_message_id === null ? [] : Number(row.last_message_id)));
      const messages = await messagesById(connection, ids);
      return shown.flatMap(({ at, id: conversationId }): InboxRow[] => {
        const row = rows.get(conversationId);
        if (!row) return [];
        const lastMessage = messages.get(Number(row.last_message_id)) ?? null;
        return [{ place: `${at} ${conversationId}`, conversation: conversationOf(row), lastMessage }];
      });
    },
    async count(filter, nowMs) {
      const counts = await Promise.all(
        rangesOf(filter, [filter.agentIds], nowMs).map(async ({ from, where, params }) => {
          const [row] = await read(
            ...withLists(
              `SELECT COUNT(*) AS n FROM (SELECT id ${from} WHERE ${where} LIMIT ${MOST_COUNTED}) AS counted`,
              params,
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
