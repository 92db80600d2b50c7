import type { Static } from '@sinclair/typebox';
import { existing } from '../../errors/api-error.js';
import type { Reader } from '../../ports/store/conversations/inbox.js';
import { MOST_COUNTED } from '../../ports/store/pages.js';
import type { Caller } from '../auth/authenticate.js';
import { presentation } from '../conversations/conversations.presenter.js';
import { ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { presentInboxRow } from './inbox.presenter.js';
import { inboxQuery, inboxSchema } from './inbox.schema.js';

const PING = ': ping\n\n';
const PING_MS = 20_000;
const EVENT_ID = /^[0-9]{1,15}$/;

function readerOf({ member, key, workspaceId }: Caller): Reader {
  if (member) return { type: 'user', id: member.id, workspaceId };
  return { type: 'key', id: existing(key, 'RESOURCE_NOT_FOUND').id, workspaceId };
}

function assigneeIn({ assignee }: Partial<Static<typeof inboxQuery>>, caller: Caller) {
  if (assignee === 'none') return null;
  return assignee === 'me' ? readerOf(caller).id : assignee?.toLowerCase();
}

/** Returns the agents whose conversations are listed; null for all of the workspace. */
async function agentsIn(
  { reads }: Services,
  { agentId }: Partial<Static<typeof inboxQuery>>,
  { agentIds, workspaceId }: Caller,
): Promise<string[] | null> {
  const only = agentId?.toLowerCase();
  if (only === undefined) return agentIds && [...agentIds];
  const isSeen = agentIds?.has(only) ?? (await reads.agent(workspaceId, only)) !== null;
  return isSeen ? [only] : [];
}

async function* changes(
  { conversations }: Services,
  caller: Caller,
  { mark, signal }: Omit<Parameters<Services['conversations']['inboxFeed']['follow']>[1], 'idleMs'>,
): AsyncGenerator<string> {
  const reader = { ...readerOf(caller), agentIds: caller.agentIds };
  // An event without data only sets the id from which the client resumes.
  yield `id: ${mark.changedAtMs}\n\n`;
  for await (const change of conversations.inboxFeed.follow(reader, { mark, idleMs: PING_MS, signal })) {
    if (change === 'idle') {
      yield PING;
      continue;
    }
    const { changedAtMs, conversationId, agentId } = change;
    yield `id: ${changedAtMs}\ndata: ${JSON.stringify({ conversationId, agentId })}\n\n`;
  }
}

export const inboxRoutes: Route[] = [
  route({
    id: 'listInbox',
    method: 'GET',
    path: '/inbox',
    extension: true,
    scope: 'workspace',
    permission: 'conversations.answer',
    summary: 'List the conversations that people answer, or may answer',
    description: `Of all agents that the caller may see: first those that wait for a person, the longest wait first, then the others, the latest change of the state first. \`total\` stops at ${MOST_COUNTED}.`,
    query: inboxQuery,
    list: ({ caller, query }) =>
      ['inbox', caller.workspaceId, query.state, assigneeIn(query, caller), query.agentId?.toLowerCase()]
        .map((part) => String(part))
        .join('/'),
    responses: { 200: inboxSchema },
    async handle({ caller, query, list }, services) {
      const { cursors, inbox, clock } = services;
      const { state } = query;
      const filter = {
        workspaceId: caller.workspaceId,
        agentIds: await agentsIn(services, query, caller),
        states: state === undefined ? (['requested', 'human'] as const) : [state],
        assigneeId: assigneeIn(query, caller),
      };
      const request = cursors.request(list, query);
      const nowMs = clock.now();
      const [rows, total] = await Promise.all([
        inbox.page(filter, request, nowMs),
        inbox.count(filter, nowMs),
      ]);
      const how = presentation(services, caller);
      const placed = rows.map((row) => ({ ...row, id: row.place }));
      return ok(cursors.page(list, request, placed, total, (row) => presentInboxRow(row, how)));
    },
  }),
  route({
    id: 'followInbox',
    method: 'GET',
    path: '/inbox/events',
    extension: true,
    scope: 'workspace',
    permission: 'conversations.answer',
    summary: 'Follow the changes of the inbox',
    description:
      'Each event names a conversation that has changed: `{"conversationId", "agentId"}`. Read it again, or the list. Open the stream before you read the list, and send the id of the last event as `Last-Event-ID` to resume; an event may be repeated. While the stream is open, and for two minutes after it, visitors may ask for a person, unless the member is away.',
    resumable: true,
    streams: true,
    responses: {},
    async handle({ caller, lastEventId, takeEventStream }, services) {
      takeEventStream();
      const after = lastEventId !== undefined && EVENT_ID.test(lastEventId) ? Number(lastEventId) : null;
      const mark = await services.conversations.inboxFeed.open(readerOf(caller), after);
      return { status: 200, events: (signal) => changes(services, caller, { mark, signal }) };
    },
  }),
];
