import type { ConversationEvent } from '../../conversations/handover/event-feed.js';
import { existing } from '../../errors/api-error.js';
import type { ConversationRow } from '../../ports/store/conversations/conversation-rows.js';
import type { Caller } from '../auth/authenticate.js';
import { noContent, ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { readerOf, viewerOf } from './answers.js';
import { conversationIdOf } from './conversation-id.js';
import { presentEvent, presentState } from './events.presenter.js';
import { eventListSchema, eventsQuery, visitorEventListSchema } from './events.schema.js';

const conversationPath = '/agents/:agentId/conversations/:conversationId';
const PING = ': ping\n\n';
const PING_MS = 20_000;

interface Following {
  conversation: ConversationRow;
  caller: Caller;
}

async function followable(
  { conversations }: Services,
  agentId: string,
  { caller, params }: { caller: Caller; params: Record<string, string> },
): Promise<ConversationRow> {
  const conversation = await conversations.known(agentId, conversationIdOf(params), readerOf(caller));
  return existing(conversation.handover === null ? null : conversation, 'RESOURCE_NOT_FOUND');
}

/** Visitors follow a conversation while a person answers, or may come. */
const isOpen = (conversation: ConversationRow, nowMs: number): boolean =>
  ['requested', 'human'].includes(presentState(conversation, nowMs).state as string);

/** Returns the position that the client has read; null without a valid one. */
const positionOf = (lastEventId: string | undefined, { position }: ConversationRow): number | null =>
  lastEventId !== undefined && /^[0-9]{1,15}$/.test(lastEventId)
    ? Math.min(Number(lastEventId), position)
    : null;

const frame = (id: number | null, data: object): string =>
  `${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

async function* eventStream(
  services: Services,
  following: Following,
  { signal, ...from }: { position: number | null; signal: AbortSignal },
): AsyncGenerator<string> {
  const { conversations, clock } = services;
  const { conversation, caller } = following;
  if (from.position === null) yield frame(conversation.position, presentState(conversation, clock.now()));
  const position = from.position ?? conversation.position;
  for await (const event of conversations.feed.follow(conversation, { position, idleMs: PING_MS, signal })) {
    if (event === 'idle') {
      yield PING;
      continue;
    }
    const shown = await presentEvent(services, event, following);
    if (shown !== null) yield frame(event.type === 'typing' ? null : event.position, shown);
    const hasEnded = event.type === 'state' && !isOpen(event.conversation, clock.now());
    if (hasEnded && caller.visitor !== null) return;
  }
}

/** Waits for events after this position. Null if there were none in time. */
async function eventsWithin(
  { conversations, clock }: Services,
  { conversation, caller }: Following,
  { position, signal, waitMs }: { position: number | null; signal: AbortSignal; waitMs: number },
): Promise<{ events: ConversationEvent[]; conversation: ConversationRow } | null> {
  const { feed } = conversations;
  const seen = position ?? conversation.position;
  const known = await feed.after(conversation, seen);
  if (known === null) return null;
  const isQuiet = caller.visitor !== null && !isOpen(known.conversation, clock.now());
  if (known.events.length > 0 || isQuiet) return known;
  const timed = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  for await (const event of feed.follow(conversation, { position: seen, idleMs: waitMs, signal: timed })) {
    if (event === 'idle') return null;
    if (event.type !== 'typing') return feed.after(conversation, seen);
  }
  return null;
}

export const eventRoutes: Route[] = [
  route({
    id: 'followConversation',
    method: 'GET',
    path: `${conversationPath}/events`,
    extension: true,
    scope: 'agent',
    permission: 'conversations.view',
    summary: 'Follow a conversation that a person answers, or may answer',
    description:
      'Events `message` (a complete message of the visitor, of the agent or of a person), `state` and `typing`. Send the id of the last event that you read, or `position` of `getConversation` or `listMessages`, as `Last-Event-ID`: each later message follows once, in order. Without it, the stream begins with the current state. Visitors get 204 while the agent answers alone. Where streams are blocked, `wait` returns the events as JSON, or 204 if there were none in time. Conversations of the API have no events.',
    params: conversationIdOf,
    query: eventsQuery,
    resumable: true,
    streams: true,
    responses: { 200: eventListSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    visitors: true,
    visitorResponse: visitorEventListSchema,
    async handle({ agent, caller, params, query, lastEventId, ...request }, services) {
      const { clock } = services;
      const conversation = await followable(services, agent.id, { caller, params });
      const position = positionOf(lastEventId, conversation);
      const following = { conversation, caller };
      if (query.wait !== undefined) {
        request.takeStream();
        const signal = request.beginPoll();
        const waitMs = query.wait * 1000;
        const found = await eventsWithin(services, following, { position, signal, waitMs });
        if (found === null) return noContent;
        const events: object[] = [];
        for (const event of found.events) {
          const shown = await presentEvent(services, event, following);
          if (shown !== null && event.type !== 'typing')
            events.push({ id: String(event.position), ...shown });
        }
        return ok({ state: presentState(found.conversation, clock.now()).state, events });
      }
      if (caller.visitor !== null && !isOpen(conversation, clock.now())) return noContent;
      request.takeEventStream();
      return {
        status: 200,
        events: (signal) => eventStream(services, following, { position, signal }),
      };
    },
  }),
  route({
    id: 'reportTyping',
    method: 'POST',
    path: `${conversationPath}/typing`,
    extension: true,
    scope: 'agent',
    permission: 'conversations.answer',
    summary: 'Show to the other side that you are typing',
    description: 'Send it every three seconds while the person types. More frequent ones have no effect.',
    idempotent: 'afterwards',
    params: conversationIdOf,
    empty: true,
    responses: {},
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    visitors: true,
    async handle({ agent, caller, params }, services) {
      const viewer = caller.visitor === null ? null : viewerOf(caller);
      const found = await services.conversations.known(agent.id, conversationIdOf(params), viewer);
      const conversation = existing(found.handover === null ? null : found, 'RESOURCE_NOT_FOUND');
      await services.conversations.typing(conversation, caller.visitor === null ? 'human' : 'visitor');
      return noContent;
    },
  }),
];
