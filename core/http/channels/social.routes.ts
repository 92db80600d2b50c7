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
    keyScope: 'read',
    summary: 'Show whether the agent is connected to a social account',
    description:
      'Only `connected: false` without a connection. With `status: reconnect_required`, nothing is sent until `connectSocialChannel` is called with a new token.',
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
    keyScope: 'full',
    summary: 'Connect the agent to a social account',
    description:
      'Checks the token, subscribes the account to events, and from then on the agent answers its messages. An account has at most one agent. If the agent was connected to another account, that one is disconnected as with `disconnectSocialChannel`. The token is stored encrypted and never shown.',
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
    keyScope: 'full',
    summary: 'Disconnect the agent from its social account',
    description:
      'Erases the token, cancels waiting messages, turns live automations into drafts, and clears the menu and the conversation starters. Conversations stay.',
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
