import type { Static } from '@sinclair/typebox';
import { messageIdOf } from '../../conversations/message-id.js';
import { wordsOf } from '../../conversations/message-words.js';
import { ApiError } from '../../errors/api-error.js';
import type { ConversationRow } from '../../ports/store/conversations/conversation-rows.js';
import type { ConversationFilter, ConversationReads } from '../../ports/store/conversations/conversations.js';
import type { PageRequest } from '../../ports/store/pages.js';
import { deleted } from '../../schemas/shapes.js';
import { isUuid } from '../../schemas/uuid.js';
import type { Caller } from '../auth/authenticate.js';
import { ok, okInSlices, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { presented, presentedAll, readerOf, speakersOf } from './answers.js';
import { conversationIdOf } from './conversation-id.js';
import { presentation, presentConversation, presentSummary } from './conversations.presenter.js';
import {
  conversationDetailSchema,
  conversationListSchema,
  exportQuery,
  exportSchema,
  listConversationsQuery,
  listMessagesQuery,
  messageListSchema,
  messageSchema,
  visitorConversationListSchema,
  visitorDetailSchema,
  visitorMessageListSchema,
  visitorMessageSchema,
} from './conversations.schema.js';
import { exportWithMessages, readMessagePage } from './page-bytes.js';

const listName = (...parts: unknown[]): string => parts.map((part) => String(part ?? '')).join('/');

type ListQuery = Partial<Static<typeof listConversationsQuery>>;

/** Returns the filter of the list. For visitors, it always selects their own conversations. */
const filterOf = (
  { source, userId, startDate, endDate, outcome, feedback }: ListQuery,
  caller: Caller,
): ConversationFilter =>
  caller.visitor === null
    ? { source, userId, startDate, endDate, outcome, feedback }
    : { source: 'widget', userId: caller.visitor.userId, startDate, endDate };

/** Returns the words to search for. */
const soughtIn = ({ q }: ListQuery, caller: Caller): string | undefined =>
  caller.visitor === null ? q : undefined;

/** Shared by the detail and the list, so that the cursor of the detail is valid in the list. */
const messageList = (conversationId: string): string => listName('messages', conversationId);

/**
 * Returns a page of messages. The first page has the newest messages; within a page, the order is chronological. Large
 * messages shorten the page.
 */
async function messagePage(
  services: Services,
  { conversation, caller }: { conversation: ConversationRow; caller: Caller },
  query: { limit?: number; cursor?: string },
  reserve: (bytes: number) => void,
) {
  const { cursors } = services;
  const list = messageList(conversation.id);
  const asked = cursors.request(list, query);
  const { request, rows } = await readMessagePage(services, conversation.id, asked, reserve);
  const total = conversation.messages + conversation.toolRecords;
  const { data, pagination } = cursors.page(list, request, rows, total, (row) => row);
  return {
    messages: await presentedAll(services, data.reverse(), speakersOf(conversation, caller)),
    pagination,
  };
}

/** Read before the messages, so that no event is missed after it. */
const positionIn = ({ handover, position }: ConversationRow) =>
  handover === null ? {} : { position: String(position) };

async function readPage(
  reads: ConversationReads,
  agentId: string,
  filter: ConversationFilter,
  request: PageRequest,
): Promise<{ rows: ConversationRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    reads.page(agentId, filter, request),
    reads.count(agentId, filter),
  ]);
  return { rows, total };
}

export const conversationRoutes: Route[] = [
  route({
    id: 'listConversations',
    method: 'GET',
    path: '/agents/:agentId/conversations',
    scope: 'agent',
    permission: 'conversations.view',
    summary: 'List the conversations of the agent, newest first',
    description:
      'The list has no messages; `getConversation` returns them. `startDate` and `endDate` are Unix seconds and refer to the time of creation. `q` compares words as the search of sources does; `total` then counts the conversations found.',
    query: listConversationsQuery,
    list({ agent, caller, query }) {
      const { source, userId, startDate, endDate, outcome, feedback } = filterOf(query, caller);
      const filters = [source, userId, startDate, endDate, outcome, feedback, soughtIn(query, caller)];
      return listName('conversations', agent.id, ...filters);
    },
    responses: { 200: conversationListSchema },
    visitors: true,
    visitorResponse: visitorConversationListSchema,
    async handle({ agent, caller, query, list }, services) {
      const { conversationReads, cursors } = services;
      const filter = filterOf(query, caller);
      const request = cursors.request(list, query);
      const sought = soughtIn(query, caller);
      const { rows, total } =
        sought === undefined
          ? await readPage(conversationReads, agent.id, filter, request)
          : await conversationReads.search(agent.id, filter, wordsOf(sought), request);
      const how = presentation(services, caller);
      const isSummed = query.include === 'summary' && caller.visitor === null;
      const summaries = isSummed ? await conversationReads.summaries(rows.map(({ id }) => id)) : null;
      return ok(
        cursors.page(list, request, rows, total, (row) => {
          const summary = summaries?.get(row.id);
          return { ...presentConversation(row, how), ...(summary ? presentSummary(summary) : {}) };
        }),
      );
    },
  }),
  route({
    id: 'exportConversations',
    method: 'GET',
    path: '/agents/:agentId/conversations/export',
    scope: 'agent',
    permission: 'conversations.view',
    summary: 'Read whole conversations, oldest first',
    description:
      'For archives and analysis: conversations with their messages, up to 4 MiB or about 2,000 messages on a page. Long outputs of tools, and long conversations, are cut and marked with `truncated`: of a long conversation, the page has the newest 1,000 messages, or as many as fit. `include=summary` omits the messages.',
    query: exportQuery,
    list: ({ agent, query: { source, conversationId, startDate, endDate } }) =>
      listName('export', agent.id, source, startDate, endDate, conversationId),
    responses: { 200: exportSchema },
    async handle({ agent, caller, query, list, reserve }, services) {
      const { conversationReads, cursors } = services;
      const { source, startDate, endDate, include } = query;
      const conversationId = query.conversationId?.toLowerCase();
      const filter = { source, startDate, endDate, conversationId };
      const request = cursors.request(list, query);
      const known = conversationId === undefined || isUuid(conversationId);
      const rows = known ? await conversationReads.export(agent.id, filter, request) : [];
      const total = known ? await conversationReads.count(agent.id, filter) : 0;
      const how = presentation(services, caller);
      const present = (row: ConversationRow) => presentConversation(row, how);
      if (include === 'summary') return ok(cursors.page(list, request, rows, total, present));
      const data = await exportWithMessages(services, rows.slice(0, request.limit), present, reserve);
      const shown = { ...request, limit: data.length };
      const { pagination } = cursors.page(list, shown, rows, total, (row) => row);
      return okInSlices({ data, pagination });
    },
  }),
  route({
    id: 'getConversation',
    method: 'GET',
    path: '/agents/:agentId/conversations/:conversationId',
    scope: 'agent',
    permission: 'conversations.view',
    summary: 'Read a conversation with its newest messages',
    description:
      'The messages are in chronological order. To read older messages, pass `pagination.cursor` to `listMessages`. API keys with the scope `chat` read only conversations of the API.',
    params: conversationIdOf,
    responses: { 200: conversationDetailSchema },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    visitors: true,
    visitorResponse: visitorDetailSchema,
    async handle({ agent, caller, params, reserve }, services) {
      const id = conversationIdOf(params);
      const conversation = await services.conversations.known(agent.id, id, readerOf(caller));
      return okInSlices({
        ...presentConversation(conversation, presentation(services, caller)),
        ...positionIn(conversation),
        ...(await messagePage(services, { conversation, caller }, {}, reserve)),
      });
    },
  }),
  route({
    id: 'deleteConversation',
    method: 'DELETE',
    path: '/agents/:agentId/conversations/:conversationId',
    extension: true,
    scope: 'agent',
    permission: 'conversations.delete',
    summary: 'Delete a conversation with all its messages, and stop an answer in progress',
    description:
      'Deletes conversations of any channel. Cannot be undone. The credits stay in the usage that `getWorkspace` returns.',
    params: conversationIdOf,
    responses: { 200: deleted },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    async handle({ agent, params }, { conversations }) {
      await conversations.delete(await conversations.known(agent.id, conversationIdOf(params), null));
      return ok({ deleted: true });
    },
  }),
  route({
    id: 'listMessages',
    method: 'GET',
    path: '/agents/:agentId/conversations/:conversationId/messages',
    scope: 'agent',
    permission: 'conversations.view',
    summary: 'List the messages of a conversation, newest page first',
    description:
      'Each page is in chronological order. An answer in progress is included with the status `generating`. The answer of a retry is included when it is complete.',
    params: conversationIdOf,
    query: listMessagesQuery,
    list: ({ params }) => messageList(conversationIdOf(params)),
    responses: { 200: messageListSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    visitors: true,
    visitorResponse: visitorMessageListSchema,
    async handle({ agent, caller, params, query, reserve }, services) {
      const id = conversationIdOf(params);
      const conversation = await services.conversations.known(agent.id, id, readerOf(caller));
      const { messages, pagination } = await messagePage(services, { conversation, caller }, query, reserve);
      return okInSlices({ data: messages, ...positionIn(conversation), pagination });
    },
  }),
  route({
    id: 'getMessage',
    method: 'GET',
    path: '/agents/:agentId/conversations/:conversationId/messages/:messageId',
    extension: true,
    scope: 'agent',
    permission: 'conversations.view',
    summary: 'Read one message, also in progress',
    description:
      'While the status is `generating`, the message contains the text so far. `followAnswer` streams the rest.',
    params: conversationIdOf,
    responses: { 200: messageSchema },
    refusals: ['RESOURCE_NOT_FOUND', 'RESOURCE_MESSAGE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    visitors: true,
    visitorResponse: visitorMessageSchema,
    async handle({ agent, caller, params }, services) {
      const viewer = readerOf(caller);
      const conversation = await services.conversations.known(agent.id, conversationIdOf(params), viewer);
      const id = messageIdOf(params.messageId ?? '');
      const message = id === null ? null : await services.conversationReads.message(conversation.id, id);
      if (!message) throw new ApiError('RESOURCE_MESSAGE_NOT_FOUND');
      return okInSlices(await presented(services, message, speakersOf(conversation, caller)));
    },
  }),
];
