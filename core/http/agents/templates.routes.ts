import { listTemplates } from '../../agent-settings/templates.js';
import { ok, type Route, route } from '../route.js';
import { templateListSchema } from './agents.schema.js';

export const templateRoutes: Route[] = [
  route({
    id: 'listTemplates',
    method: 'GET',
    path: '/templates',
    extension: true,
    scope: 'workspace',
    permission: 'view',
    summary: 'List starting points for new agents',
    description:
      'Pass the id of one as `template` to `createAgent`: the new agent has its settings. None contains a model, so the agent uses the default one.',
    responses: { 200: templateListSchema },
    handle: async ({ caller }) => {
      const data = listTemplates(caller.entitlements);
      return ok({ data, pagination: { cursor: null, hasMore: false, total: data.length } });
    },
  }),
];
