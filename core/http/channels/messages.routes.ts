import { ApiError } from '../../errors/api-error.js';
import { deleted } from '../../schemas/shapes.js';
import { accepted, ok, type Route, route } from '../route.js';
import { presentChannelDelivery, presentSocialConversation } from './social.presenter.js';
import {
  channelDeliveryListSchema,
  channelDeliverySchema,
  listChannelDeliveriesQuery,
  patchSocialConversationBody,
  pausedSchema,
  sendSocialMessageBody,
  socialConversationSchema,
} from './social.schema.js';
import { connected, SOCIAL } from './social-access.js';

const conversation = { path: `${SOCIAL}/conversations/:conversationId`, extension: true } as const;

const idOf = ({ conversationId = '' }: Record<string, string>): string => conversationId.toLowerCase();

export const socialMessageRoutes: Route[] = [
  route({
    id: 'sendSocialMessage',
    method: 'POST',
    path: `${SOCIAL}/conversations/:conversationId/messages`,
    extension: true,
    scope: 'agentId',
    permission: 'conversations.answer',
    summary: 'Answer a person yourself, and take the conversation over',
    description:
      'Stops the answer in progress, cancels queued messages of the agent, and pauses the agent in this conversation for a day unless configured otherwise. `listSocialDeliveries` shows whether the message was sent.',
    body: sendSocialMessageBody,
    idempotent: 'afterwards',
    responses: { 202: channelDeliverySchema },
    refusals: ['SOCIAL_NOT_CONNECTED', 'SOCIAL_RECONNECT_REQUIRED', 'RESOURCE_NOT_FOUND'],
    async handle({ agentId, params, body, idempotency }, services) {
      const { status } = await connected(services, agentId);
      await services.social.takeOver.mustExist(agentId, idOf(params));
      if (status !== 'connected') throw new ApiError('SOCIAL_RECONNECT_REQUIRED');
      // Stored with the message, in case the process dies before it stores the response.
      const onceKey = idempotency?.hash ?? null;
      const row = await services.social.takeOver.write(agentId, idOf(params), body.text, onceKey);
      return accepted(presentChannelDelivery(row));
    },
  }),
  route({
    ...conversation,
    id: 'getSocialConversation',
    method: 'GET',
    scope: 'agent',
    permission: 'view',
    summary: 'Show whether the agent answers in a conversation',
    description: '`exportConversations` returns the messages of the conversation.',
    responses: { 200: socialConversationSchema },
    refusals: ['SOCIAL_NOT_CONNECTED', 'RESOURCE_NOT_FOUND'],
    async handle({ agent, params }, services) {
      await connected(services, agent.id);
      const found = await services.social.takeOver.read(agent.id, idOf(params));
      return ok(presentSocialConversation(found, services.clock.now()));
    },
  }),
  route({
    ...conversation,
    id: 'updateSocialConversation',
    method: 'PATCH',
    scope: 'agentId',
    permission: 'conversations.answer',
    summary: 'Take a conversation over from the agent, or hand it back',
    description:
      'While `paused`, messages are stored, and the agent does not answer. After the conversation is handed back, the agent answers the next message.',
    body: patchSocialConversationBody,
    responses: { 200: pausedSchema },
    refusals: ['SOCIAL_NOT_CONNECTED', 'RESOURCE_NOT_FOUND'],
    async handle({ agentId, params, body: { paused } }, services) {
      await connected(services, agentId);
      await services.social.takeOver.pause(agentId, idOf(params), paused);
      return ok({ paused });
    },
  }),
  route({
    ...conversation,
    id: 'deleteSocialConversation',
    method: 'DELETE',
    scope: 'agentId',
    permission: 'conversations.delete',
    summary: 'Delete a conversation with all stored data of its person',
    description: 'Queued messages are deleted, too. A later message of the person begins a new conversation.',
    responses: { 200: deleted },
    refusals: ['SOCIAL_NOT_CONNECTED', 'RESOURCE_NOT_FOUND'],
    async handle({ agentId, params }, services) {
      await connected(services, agentId);
      await services.social.takeOver.delete(agentId, idOf(params));
      return ok({ deleted: true });
    },
  }),
  route({
    id: 'listSocialDeliveries',
    method: 'GET',
    path: `${SOCIAL}/deliveries`,
    extension: true,
    scope: 'agent',
    permission: 'view',
    summary: 'List the messages to people, newest first, with the reason if one was not sent',
    description:
      '`unconfirmed`: the platform may have sent the message, so Cadre does not send it again. A message is listed for 30 days after it was sent or failed.',
    query: listChannelDeliveriesQuery,
    list: ({ agent, query }) => `social-deliveries/${agent.id}/${query.status ?? ''}`,
    responses: { 200: channelDeliveryListSchema },
    refusals: ['SOCIAL_NOT_CONNECTED'],
    async handle({ agent, query, list }, services) {
      await connected(services, agent.id);
      const { channelFlow, cursors } = services;
      const request = cursors.request(list, query);
      const status = query.status ?? null;
      const [rows, total] = await Promise.all([
        channelFlow.outgoingPage(agent.id, request, status),
        channelFlow.countOutgoing(agent.id, status),
      ]);
      return ok(cursors.page(list, request, rows, total, presentChannelDelivery));
    },
  }),
];
