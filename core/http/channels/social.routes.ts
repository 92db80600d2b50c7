import { existing } from '../../errors/api-error.js';
import type { ConnectionRow } from '../../ports/store/channels/channels.js';
import { deleted } from '../../schemas/shapes.js';
import { responseOf } from '../pipeline/respond-once.js';
import { ok, type Route, route } from '../route.js';
import { automationRoutes } from './automations.routes.js';
import { socialMessageRoutes } from './messages.routes.js';
import { profileRoutes } from './profile.routes.js';
import { presentConnection } from './social.presenter.js';
import { connectBody, connectionSchema } from './social.schema.js';
import { SOCIAL } from './social-access.js';

const connection = { path: SOCIAL, extension: true } as const;

export const socialRoutes: Route[] = [
  route({
    ...connection,
    id: 'getSocialConnection',
    method: 'GET',
    scope: 'agent',
    permission: 'view',
    summary: 'Show whether the agent is connected to a social account',
    description:
      'Without a connection, the response is only `connected: false`. With `status: reconnect_required`, no messages are sent until `connectSocialChannel` is called with a new token.',
    responses: { 200: connectionSchema },
    async handle({ agent }, { social }) {
      return ok(presentConnection(await social.connection(agent.id)));
    },
  }),
  route({
    ...connection,
    id: 'connectSocialChannel',
    method: 'POST',
    scope: 'agentId',
    permission: 'channels.connect',
    summary: 'Connect the agent to a social account',
    description:
      'Checks the token and subscribes the account to events. From then on, the agent answers messages to the account. An account can be connected to one agent only. An agent that is connected to another account is first disconnected from it, as with `disconnectSocialChannel`. The token is stored encrypted and never shown.',
    body: connectBody,
    idempotent: 'withIt',
    responses: { 200: connectionSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agentId, body, idempotency, beginWait }, { agents, social }) {
      existing(social.channel.isConfigured || null, 'RESOURCE_NOT_FOUND');
      beginWait();
      const found = await social.connections.inspect(agentId, body.accessToken);
      let left = null as ConnectionRow | null;
      const response = await responseOf(
        agents,
        { agentId, idempotency },
        { kind: 'connectSocial', ...found },
        (reply) => {
          left = reply.left;
          return ok(presentConnection(reply.connection));
        },
      );
      if (left !== null) await social.connections.leave(left);
      return response;
    },
  }),
  route({
    ...connection,
    id: 'disconnectSocialChannel',
    method: 'DELETE',
    scope: 'agentId',
    permission: 'channels.connect',
    summary: 'Disconnect the agent from its social account',
    description:
      'Erases the token, cancels queued messages, turns live automations into drafts, and removes the menu and the conversation starters. Conversations are kept.',
    responses: { 200: deleted },
    refusals: ['SOCIAL_NOT_CONNECTED'],
    async handle({ agentId, beginWait }, { agents, social }) {
      existing(social.channel.isConfigured || null, 'SOCIAL_NOT_CONNECTED');
      const { before } = await agents.send(agentId, { kind: 'disconnectSocial' });
      beginWait();
      await social.connections.leave(before);
      return ok({ deleted: true });
    },
  }),
  ...automationRoutes,
  ...profileRoutes,
  ...socialMessageRoutes,
];
