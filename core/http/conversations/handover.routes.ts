import { handoverSettings } from '../../agent-settings/handover-settings.js';
import type { HandoverChannel } from '../../conversations/handover/handover-channel.js';
import type { Person } from '../../conversations/handover/people.js';
import { medianOf } from '../../conversations/statistics.js';
import { ApiError, existing, invalidField } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type {
  ConversationRow,
  ConversationState,
} from '../../ports/store/conversations/conversation-rows.js';
import type { AgentState } from '../../ports/store/rows.js';
import type { JsonObject } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import { dayOf } from '../../visitors/limits.js';
import { isStaff } from '../auth/access.js';
import type { Caller } from '../auth/authenticate.js';
import { storedResponse } from '../pipeline/idempotency.js';
import { created, noContent, ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { askerOf, presented, speakersOf } from './answers.js';
import { conversationIdOf } from './conversation-id.js';
import { presentation, presentConversation } from './conversations.presenter.js';
import { conversationSchema } from './conversations.schema.js';
import {
  requestedSchema,
  requestPersonBody,
  updateConversationBody,
  writeMessageBody,
  writtenMessageSchema,
} from './handover.schema.js';

const DAY_MS = 86_400_000;
const conversationPath = '/agents/:agentId/conversations/:conversationId';

interface OfAgent {
  agent: AgentState;
  settings: JsonObject;
}

/** Finds a conversation that people may answer. Throws RESOURCE_NOT_FOUND. */
async function answerable(
  { conversations }: Services,
  agentId: string,
  params: Record<string, string>,
): Promise<ConversationRow> {
  const conversation = await conversations.known(agentId, conversationIdOf(params), null);
  return existing(conversation.handover === null ? null : conversation, 'RESOURCE_NOT_FOUND');
}

/** Returns the name of a member or key that visitors see. */
const shownName = (name: string, { agent, settings }: OfAgent): string =>
  handoverSettings(settings).showNames ? name : agent.name;

/** Returns the caller as a person. Visitors see an API key by `authorName`, else by the name of the agent. */
function callerAsPerson({ member, key }: Caller, of: OfAgent, authorName?: string): Person {
  if (member)
    return { type: 'user', id: member.id, name: member.name, shownName: shownName(member.name, of) };
  if (!key) throw new ApiError('AUTH_INSUFFICIENT_PERMISSIONS');
  return { type: 'key', id: key.id, name: key.name, shownName: shownName(authorName ?? of.agent.name, of) };
}

/** Finds the member or API key that may answer this agent's conversations. Throws 400. */
async function assigneeOf(
  { people, workspaces }: Services,
  { workspaceId }: Caller,
  of: OfAgent,
  assigneeId: string,
): Promise<Person> {
  const id = assigneeId.toLowerCase();
  const sees = (agentIds: readonly string[] | null) => agentIds?.includes(of.agent.id) ?? true;
  const member = await people.members.find(workspaceId, id);
  if (member && member.joinedAt !== null && !member.disabled && sees(member.agentIds)) {
    const caller = { key: null, member: { ...member, sessionId: '', isTrusted: false } };
    const { name } = member;
    if (isStaff(caller)) return { type: 'user', id, name, shownName: shownName(name, of) };
  }
  const key = (await workspaces.keys(workspaceId)).find((found) => found.id === id);
  if (key && key.scope === 'full' && sees(key.agentIds))
    return { type: 'key', id, name: key.name, shownName: of.agent.name };
  throw invalidField('assigneeId', 'must name a member or an API key that may answer these conversations');
}

/** Returns the part of a take-over that concerns the platform; null for the widget. */
const channelOf = ({ source }: ConversationRow, { social }: Services): HandoverChannel | null =>
  source === 'social' ? social.takeOver.channel : null;

/** Usual waits are those of this time. */
const EXPECTED_DAYS = 30;
/** With fewer requests, there is no usual wait. */
const LEAST_WAITS = 5;

/** Returns the usual wait for a person in seconds; null if too few have asked. */
async function expectedSeconds({ statistics, clock }: Services, agentId: string): Promise<number | null> {
  const nowMs = clock.now();
  const waits = await statistics.waits(agentId, dayOf(nowMs - EXPECTED_DAYS * DAY_MS), dayOf(nowMs));
  const median = waits.reduce((sum, { n }) => sum + n, 0) < LEAST_WAITS ? null : medianOf(waits);
  return median === null ? null : Math.round(median / 1000);
}

export const handoverRoutes: Route[] = [
  route({
    id: 'requestPerson',
    method: 'POST',
    path: `${conversationPath}/handover`,
    extension: true,
    scope: 'agentSettings',
    permission: 'chat',
    summary: 'Ask for a person, or take that back',
    description:
      "For visitors only. The request is accepted if the agent's handover settings enable it, within its hours, and if a person has the inbox open, or with hours, if e-mail is configured. Otherwise the state is `agent`, and `form` tells whether `leaveContact` is possible. Meanwhile the agent goes on answering. Asking reopens a closed conversation. A visitor may ask 3 times in an hour, and an address 20 times; further requests get 503 with `retry-after`.",
    params: conversationIdOf,
    body: requestPersonBody,
    bodyOptional: true,
    idempotent: 'withIt',
    responses: { 200: requestedSchema },
    refusals: ['RESOURCE_NOT_FOUND', 'AUTH_INSUFFICIENT_PERMISSIONS'],
    visitors: true,
    async handle({ params, body, ...request }, services) {
      const { visitor, viewer, share } = askerOf(services, request);
      if (visitor === null || viewer.userId === null)
        throw new ApiError('AUTH_INSUFFICIENT_PERMISSIONS', {
          message: "Only visitors ask for a person. Use the visitor's token.",
        });
      const { agent, settings, idempotency } = request;
      const { conversations, availability, clock } = services;
      const conversation = await conversations.known(agent.id, conversationIdOf(params), viewer);
      const [isAccepted, usual] = body.cancel
        ? [false, null]
        : await Promise.all([availability.accepts(agent, settings), expectedSeconds(services, agent.id)]);
      const { enabled, form } = handoverSettings(settings);
      const hasForm = enabled && form !== null;
      const shown = (state: ConversationState): object => {
        if (state === 'requested') return { state, expectedSeconds: usual };
        return state === 'agent' && !body.cancel ? { state, form: hasForm } : { state };
      };
      const state = await conversations.call(
        conversation,
        {
          userId: viewer.userId,
          addressKey: visitor.address.key,
          asks: body.cancel ? 'cancel' : { reason: body.reason || null, isAccepted },
          responseOf: (after) => storedResponse(idempotency, ok(shown(after)), seconds(clock.now())),
        },
        share,
      );
      return ok(shown(state));
    },
  }),
  route({
    id: 'markConversationRead',
    method: 'POST',
    path: `${conversationPath}/read`,
    extension: true,
    scope: 'agent',
    permission: 'conversations.answer',
    summary: 'Mark a conversation as read',
    description: 'Sets `unread` in `listInbox` to 0, for everybody who answers.',
    idempotent: 'afterwards',
    params: conversationIdOf,
    empty: true,
    responses: {},
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    async handle({ agent, params }, services) {
      await services.conversations.markRead(await answerable(services, agent.id, params));
      return noContent;
    },
  }),
  route({
    id: 'writeMessage',
    method: 'POST',
    path: `${conversationPath}/messages`,
    extension: true,
    scope: 'agentSettings',
    permission: 'conversations.answer',
    summary: 'Answer a visitor yourself, and take the conversation over',
    description:
      'Stops the answer in progress. From then on, the agent does not answer in this conversation until `updateConversation` hands it back. If another person has the conversation, the response is 400 unless `takeOver` is true. Conversations of the API cannot be taken over.',
    params: conversationIdOf,
    body: writeMessageBody,
    idempotent: 'itself',
    responses: { 201: writtenMessageSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, settings, caller, params, body, idempotency: key }, services) {
      const conversation = await answerable(services, agent.id, params);
      const channel = channelOf(conversation, services);
      const { text, authorName, takeOver = false } = body;
      const { messageBytes } = limits.social;
      if (channel && Buffer.byteLength(text) > messageBytes)
        throw invalidField('text', `must have at most ${messageBytes} bytes on this platform`);
      const person = callerAsPerson(caller, { agent, settings }, authorName);
      const message = await services.conversations.people.write(conversation, person, {
        text,
        takeOver,
        key,
        channel,
        onStored: async (turn, { id }, nowMs) =>
          services.answerMails?.add(
            turn,
            { messageId: id, text, name: person.shownName, agent, settings },
            nowMs,
          ),
      });
      const shown = await presented(services, message, speakersOf(conversation, caller));
      const deliveryId = channel && (await services.channelFlow.deliveryOf(conversation.id, message.id));
      return created(deliveryId === null ? shown : { ...shown, deliveryId });
    },
  }),
  route({
    id: 'updateConversation',
    method: 'PATCH',
    path: conversationPath,
    extension: true,
    scope: 'agentSettings',
    permission: 'conversations.answer',
    summary: 'Take a conversation over, assign it, hand it back or close it',
    description:
      'Taking it over stops the answer in progress. If another person has the conversation, the response is 400 unless `takeOver` is true. The next message of the visitor reopens a closed conversation.',
    params: conversationIdOf,
    body: updateConversationBody,
    responses: { 200: conversationSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, settings, caller, params, body }, services) {
      const conversation = await answerable(services, agent.id, params);
      const { state, assigneeId, takeOver = false } = body;
      if (assigneeId != null && state !== undefined && state !== 'human')
        throw invalidField('assigneeId', 'must be left out unless state is human');
      const of = { agent, settings };
      const changed = await services.conversations.people.change(conversation, callerAsPerson(caller, of), {
        state,
        assignee: assigneeId == null ? assigneeId : await assigneeOf(services, caller, of, assigneeId),
        takeOver,
        channel: channelOf(conversation, services),
      });
      return ok(presentConversation(changed, presentation(services, caller)));
    },
  }),
];
