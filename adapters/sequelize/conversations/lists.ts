import type {
  ConversationFilter,
  ConversationReads,
  ConversationRow,
} from '../../../core/ports/store/conversations.js';
import type { PageRequest } from '../../../core/ports/store/pages.js';
import type { Connection } from '../database/connection.js';
import { seek } from '../database/seek.js';
import { conversationOf } from '../tables/conversations.js';

type Condition = [sql: string, value: unknown];
type Order = 'ASC' | 'DESC';

/** The smallest UUID v7 of this second. Ids contain their time, so ranges of dates are ranges of ids. */
function firstIdOf(second: number): string {
  const ms = Math.min(Math.max(second, 0) * 1000, 2 ** 48 - 1);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Conditions on the id of a conversation, in this column. */
function idConditions(column: string, filter: ConversationFilter): Condition[] {
  const conditions: Condition[] = [];
  if (filter.conversationId !== undefined) conditions.push([`${column} = ?`, filter.conversationId]);
  if (filter.startDate !== undefined) conditions.push([`${column} >= ?`, firstIdOf(filter.startDate)]);
  if (filter.endDate !== undefined) conditions.push([`${column} < ?`, firstIdOf(filter.endDate + 1)]);
  return conditions;
}

const isOlder = (column: string, { before }: PageRequest, order: Order): Condition[] =>
  before === null ? [] : [[`${column} ${order === 'DESC' ? '<' : '>'} ?`, before]];

/** The list to page through; null for one conversation. */
function indexOf({ conversationId, userId, source }: ConversationFilter): string | null {
  if (conversationId !== undefined) return null;
  if (userId !== undefined) return 'conversations_user';
  return source === undefined ? 'conversations_agent' : 'conversations_source';
}

const where = (conditions: Condition[]): string => conditions.map(([sql]) => sql).join(' AND ');
const values = (conditions: Condition[]): unknown[] => conditions.map(([, value]) => value);

/** Reads of the lists of conversations. */
export function createConversationLists(
  connection: Connection,
): Pick<ConversationReads, 'page' | 'export' | 'count'> {
  const { read } = connection;
  const outcomeIndex = seek(connection, 'messages_outcome');

  function conditionsOf(agentId: string, filter: ConversationFilter): Condition[] {
    const conditions: Condition[] = [['agent_id = ?', agentId]];
    if (filter.source !== undefined) conditions.push(['source = ?', filter.source]);
    if (filter.userId !== undefined) conditions.push(['user_id = ?', filter.userId]);
    // Databases join EXISTS in an order of their choice, but evaluate a scalar subquery once per row of the list.
    if (filter.outcome !== undefined)
      conditions.push([
        `(SELECT 1 FROM messages${outcomeIndex} WHERE messages.agent_id = conversations.agent_id AND outcome = ?
          AND conversation_id = conversations.id LIMIT 1) = 1`,
        filter.outcome,
      ]);
    return [...conditions, ...idConditions('id', filter)];
  }

  /** Conditions on messages. Drafts have no outcome. */
  function outcomeConditions(agentId: string, filter: ConversationFilter): Condition[] {
    const conditions: Condition[] = [
      ['agent_id = ?', agentId],
      ['outcome = ?', filter.outcome],
      ...idConditions('conversation_id', filter),
    ];
    if (filter.source !== undefined)
      conditions.push([
        '(SELECT source FROM conversations WHERE id = messages.conversation_id) = ?',
        filter.source,
      ]);
    return conditions;
  }

  /** Whether to page through messages by outcome. A user has few conversations, so those are checked one by one. */
  const isByOutcome = ({ outcome, userId, conversationId }: ConversationFilter): boolean =>
    outcome !== undefined && userId === undefined && conversationId === undefined;

  async function pageByOutcome(
    agentId: string,
    filter: ConversationFilter,
    page: PageRequest,
    order: Order,
  ): Promise<ConversationRow[]> {
    const conditions = [...outcomeConditions(agentId, filter), ...isOlder('conversation_id', page, order)];
    const rows = await read(
      `SELECT conversations.* FROM (SELECT DISTINCT conversation_id FROM messages${outcomeIndex}
        WHERE ${where(conditions)} ORDER BY conversation_id ${order} LIMIT ${page.limit + 1}) AS found
        JOIN conversations ON conversations.id = found.conversation_id`,
      values(conditions),
    );
    // The join returns them in any order.
    const sign = order === 'ASC' ? 1 : -1;
    return rows.map(conversationOf).sort((a, b) => (a.id < b.id ? -sign : sign));
  }

  async function page(
    agentId: string,
    filter: ConversationFilter,
    request: PageRequest,
    order: Order,
  ): Promise<ConversationRow[]> {
    if (isByOutcome(filter)) return pageByOutcome(agentId, filter, request, order);
    const conditions = [...conditionsOf(agentId, filter), ...isOlder('id', request, order)];
    const rows = await read(
      `SELECT * FROM conversations${seek(connection, indexOf(filter))} WHERE ${where(conditions)} ORDER BY id ${order} LIMIT ${request.limit + 1}`,
      values(conditions),
    );
    return rows.map(conversationOf);
  }

  /** The statement that counts the conversations of a filter. */
  function counting(agentId: string, filter: ConversationFilter): [sql: string, conditions: Condition[]] {
    if (isByOutcome(filter))
      return [
        `SELECT COUNT(DISTINCT conversation_id) AS n FROM messages${outcomeIndex}`,
        outcomeConditions(agentId, filter),
      ];
    const { source: _, ...others } = filter;
    const isCounted = Object.values(others).every((value) => value === undefined);
    return [
      isCounted
        ? 'SELECT COALESCE(SUM(conversations), 0) AS n FROM conversation_counts'
        : 'SELECT COUNT(*) AS n FROM conversations',
      conditionsOf(agentId, filter),
    ];
  }

  return {
    page: (agentId, filter, request) => page(agentId, filter, request, 'DESC'),
    export: (agentId, filter, request) => page(agentId, filter, request, 'ASC'),
    async count(agentId, filter) {
      const [sql, conditions] = counting(agentId, filter);
      const [row] = await read(`${sql} WHERE ${where(conditions)}`, values(conditions));
      return Number(row?.n ?? 0);
    },
  };
}
