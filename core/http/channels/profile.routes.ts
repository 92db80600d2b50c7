import type { TSchema } from '@sinclair/typebox';
import type { ChannelItems, ChannelResource } from '../../ports/channel.port.js';
import { ok, type Route, route } from '../route.js';
import { presentProfile } from './social.presenter.js';
import { menuBody, menuSchema, startersBody, startersSchema } from './social.schema.js';
import { connected, SOCIAL } from './social-access.js';

interface Resource {
  resource: ChannelResource;
  /** Part of the ids of the operations. */
  id: string;
  /** Name in descriptions. */
  what: string;
  body: typeof menuBody | typeof startersBody;
  shown: TSchema;
}

const resources: Resource[] = [
  {
    resource: 'persistent-menu',
    id: 'PersistentMenu',
    what: 'the persistent menu',
    body: menuBody,
    shown: menuSchema,
  },
  {
    resource: 'conversation-starters',
    id: 'ConversationStarters',
    what: 'the conversation starters',
    body: startersBody,
    shown: startersSchema,
  },
];

export const profileRoutes: Route[] = resources.flatMap(({ resource, id, what, body, shown }) => [
  route({
    id: `get${id}`,
    method: 'GET',
    path: `${SOCIAL}/${resource}`,
    extension: true,
    scope: 'agent',
    permission: 'view',
    summary: `Read ${what}: the requested and the published items`,
    description: '`sync` shows whether publishing is in progress or has failed, and why.',
    responses: { 200: shown },
    refusals: ['SOCIAL_NOT_CONNECTED'],
    async handle({ agent }, services) {
      await connected(services, agent.id);
      return ok(presentProfile(agent.id, resource, await services.channels.profile(agent.id, resource)));
    },
  }),
  route({
    id: `update${id}`,
    method: 'PATCH',
    path: `${SOCIAL}/${resource}`,
    extension: true,
    scope: 'agentId',
    permission: 'edit',
    summary: `Replace ${what}, and publish`,
    description:
      'Waits until the platform has confirmed the items. If that fails, `live` still contains the items that the platform confirmed last. An empty list removes all items.',
    body,
    responses: { 200: shown },
    refusals: [
      'SOCIAL_NOT_CONNECTED',
      'SOCIAL_SYNC_IN_PROGRESS',
      'SOCIAL_SYNC_FAILED',
      ...(resource === 'conversation-starters' ? (['SOCIAL_RECONNECT_REQUIRED'] as const) : []),
    ],
    async handle({ agentId, body: { items }, beginWait }, services) {
      await connected(services, agentId);
      beginWait();
      const wanted = items as ChannelItems[ChannelResource];
      const row = await services.social.profiles.publish(agentId, resource, wanted);
      return ok(presentProfile(agentId, resource, row));
    },
  }),
]);
