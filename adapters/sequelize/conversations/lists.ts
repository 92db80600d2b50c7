import type { ConversationRow } from '../../../core/ports/store/conversations/conversation-rows.js';
import type {
  ConversationFilter,
  ConversationReads,
} from '../../../core/ports/store/conversations/conversations.js';
import type { PageRequest } from '../../../core/ports/store/pages.js';
import { limits } from '../../../core/schemas/limits.js';
import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { seek } from '../database/seek.js';
import { conversationOf } from '../tables/conversations.js';
import { withWords } from './word-search.js';

type Condition = [sql: string, value: unknown];
type Order = 'ASC' | 'DESC';

/** Returns the smallest UUID v7 of this second. Ids contain their time, so ranges of dates are ranges of ids. */
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

/** Returns the index of the list to page through; null for one conversation. */
function indexOf({ conversationId, userId, source }: ConversationFilter): string | null {
  if (conversationId !== undefined) return null;
  if (userId !== undefined) return 'conversations_user';
  return source === undefined ? 'conversations_agent' : 'conversations_source';
}

const where = (conditions: Condition[]): string => conditions.map(([sql]) => sql).join(' AND ');
const values = (conditions: Condition[]): unknown[] => conditions.map(([, value]) => value);

/** Filters that match if any message of a conversation does. Each has an index; the most selective filter is first. */
const messageFilters = [
  ['feedback', 'messages_feedback'],
  ['outcome', 'messages_outcome'],
] as const;

/** A query for a list of conversations. */
interface Listing {
  filter: ConversationFilter;
  page: PageRequest;
  order: Order;
  columns: readonly string[];
  /** Defaults to `read`. */
  by?: Connection['read'];
}

/** Reads of the lists of conversations. */
export function createConversationLists(
  connection: Connection,
): Pick<ConversationReads, 'page' | 'export' | 'count' | 'search'> {
  const { read, readLong } = connection;

  /**
   * Returns conditions that require a message with these values. `outer` names the column with the conversation's id.
   */
  const haveMessages = (
    filters: readonly (typeof messageFilters)[number][],
    filter: ConversationFilter,
    outer: { table: string; id: string },
  ): Condition[] =>
    filters.flatMap(([column, index]) =>
      filter[column] === undefined
        ? []
        : [
            // A scalar subquery runs once per row of the list. With EXISTS, the database may choose a slower join
            // order.
            [
              `(SELECT 1 FROM messages AS others${seek(connection, index)} WHERE others.agent_id = ${outer.table}.agent_id
                AND others.${column} = ? AND others.conversation_id = ${outer.table}.${outer.id} LIMIT 1) = 1`,
              filter[column],
            ],
          ],
    );

  function conditionsOf(agentId: string, filter: ConversationFilter): Condition[] {
    const conditions: Condition[] = [['agent_id = ?', agentId]];
    if (filter.source !== undefined) conditions.push(['source = ?', filter.source]);
    if (filter.userId !== undefined) conditions.push(['user_id = ?', filter.userId]);
    return [
      ...conditions,
      ...haveMessages(messageFilters, filter, { table: 'conversations', id: 'id' }),
      ...idConditions('id', filter),
    ];
  }

  /**
   * Returns the message filter whose index the list pages through. Null if conversations are checked one by one,
   * because a user has only a few. Drafts need no condition, because they have no outcome.
   */
  const leadingOf = (filter: ConversationFilter): (typeof messageFilters)[number] | null =>
    filter.userId !== undefined || filter.conversationId !== undefined
      ? null
      : (messageFilters.find(([column]) => filter[column] !== undefined) ?? null);

  /** Returns FROM and conditions for the messages that match the leading filter. */
  function messagesOf(
    agentId: string,
    filter: ConversationFilter,
    leading: (typeof messageFilters)[number],
  ): [from: string, conditions: Condition[]] {
    const [column, index] = leading;
    const others = messageFilters.filter((other) => other !== leading);
    const conditions: Condition[] = [
      ['agent_id = ?', agentId],
      [`${column} = ?`, filter[column]],
      ...haveMessages(others, filter, { table: 'messages', id: 'conversation_id' }),
      ...idConditions('conversation_id', filter),
    ];
    if (filter.source !== undefined)
      conditions.push([
        '(SELECT source FROM conversations WHERE id = messages.conversation_id) = ?',
        filter.source,
      ]);
    return [`FROM messages${seek(connection, index)}`, conditions];
  }

  /** Returns up to `page.limit` + 1 rows. */
  async function listed(
    agentId: string,
    { filter, page, order, columns, by = read }: Listing,
  ): Promise<Row[]> {
    const leading = leadingOf(filter);
    if (leading === null) {
      const conditions = [...conditionsOf(agentId, filter), ...isOlder('id', page, order)];
      return by(
        `SELECT ${columns.join(', ')} FROM conversations${seek(connection, indexOf(filter))} WHERE ${where(conditions)} ORDER BY id ${order} LIMIT ${page.limit + 1}`,
        values(conditions),
      );
    }
    const [from, onMessages] = messagesOf(agentId, filter, leading);
    const conditions = [...onMessages, ...isOlder('conversation_id', page, order)];
    const rows = await by(
      `SELECT ${columns.map((column) => `conversations.${column}`).join(', ')} FROM (SELECT DISTINCT conversation_id ${from}
        WHERE ${where(conditions)} ORDER BY conversation_id ${order} LIMIT ${page.limit + 1}) AS found
        JOIN conversations ON conversations.id = found.conversation_id`,
      values(conditions),
    );
    // The join returns them in any order.
    const sign = order === 'ASC' ? 1 : -1;
    return rows.toSorted((a, b) => ((a.id as string) < (b.id as string) ? -sign : sign));
  }

  const page = async (
    agentId: string,
    filter: ConversationFilter,
    request: PageRequest,
    order: Order,
  ): Promise<ConversationRow[]> =>
    (await listed(agentId, { filter, page: request, order, columns: ['*'] })).map(conversationOf);

  /** Returns the statement that counts the conversations of a filter. */
  function counting(agentId: string, filter: ConversationFilter): [sql: string, conditions: Condition[]] {
    const leading = leadingOf(filter);
    if (leading !== null) {
      const [from, conditions] = messagesOf(agentId, filter, leading);
      return [`SELECT COUNT(DISTINCT conversation_id) AS n ${from}`, conditions];
    }
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
    async search(agentId, filter, words, { limit, before }) {
      if (words.length === 0) return { rows: [], total: 0 };
      const searched = await listed(agentId, {
        filter,
        page: { limit: limits.chat.search.conversations - 1, before: null },
        order: 'DESC',
        columns: ['id', 'messages'],
        by: readLong,
      });
      const conversations = searched.map(({ id, messages }) => ({
        id: id as string,
        messages: Number(messages),
      }));
      const found = await withWords(connection, agentId, conversations, words);
      const shown = found.filter((id) => before === null || id < before).slice(0, limit + 1);
      const rows = await read(...withLists('SELECT * FROM conversations WHERE id IN (?)', [shown]));
      return {
        rows: rows.map(conversationOf).sort((a, b) => (a.id < b.id ? 1 : -1)),
        total: found.length,
      };
    },
    async count(agentId, filter) {
      const [sql, conditions] = counting(agentId, filter);
      const [row] = await read(`${sql} WHERE ${where(conditions)}`, values(conditions));
      return Number(row?.n ?? 0);
    },
  };
}
