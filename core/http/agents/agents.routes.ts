import { v7 as uuidv7 } from 'uuid';
import { emptyAgent } from '../../actors/agent/empty-agent.js';
import { templateSettings } from '../../agent-settings/templates.js';
import { ApiError, invalidField } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type { Counted, Workspace } from '../../ports/store/workspaces.js';
import { profileOf } from '../../schemas/agent-profile.js';
import { deleted } from '../../schemas/shapes.js';
import { quotaNear } from '../../webhooks/quota-near.js';
import { storedResponse } from '../pipeline/idempotency.js';
import { created, ok, type Route, route } from '../route.js';
import { presentAgent, presentListedAgent } from './agents.presenter.js';
import {
  agentListSchema,
  agentSchema,
  createAgentBody,
  listAgentsQuery,
  noDraftQuery,
  patchAgentBody,
} from './agents.schema.js';

export const agentRoutes: Route[] = [
  route({
    id: 'listAgents',
    method: 'GET',
    path: '/agents',
    scope: 'workspace',
    permission: 'view',
    summary: 'List the agents of the workspace, newest first',
    description:
      'Pass `pagination.cursor` as `cursor` until `hasMore` is false. `q` finds agents by name. `settings` is empty in a list; `getAgent` returns them.',
    query: listAgentsQuery,
    list: ({ caller, query: { q = '' } }) => `agents/${caller.workspaceId}/${q}`,
    responses: { 200: agentListSchema },
    async handle({ caller, query, list }, { reads, cursors, workspaces }) {
      const request = cursors.request(list, query);
      const { q = '' } = query;
      if (caller.agentIds) {
        const own = await reads.agentsOf(caller.workspaceId, [...caller.agentIds]);
        const named = own.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
        const rows = named.filter(({ id }) => request.before === null || id < request.before);
        return ok(cursors.page(list, request, rows, named.length, presentListedAgent));
      }
      if (q !== '') {
        const { rows, total } = await reads.agentsNamed(caller.workspaceId, q, request);
        return ok(cursors.page(list, request, rows, total, presentListedAgent));
      }
      const [rows, workspace] = await Promise.all([
        reads.agents(caller.workspaceId, request),
        workspaces.find(caller.workspaceId),
      ]);
      return ok(cursors.page(list, request, rows, workspace?.agents ?? 0, presentListedAgent));
    },
  }),
  route({
    id: 'createAgent',
    method: 'POST',
    path: '/agents',
    scope: 'workspace',
    permission: 'agents.create',
    summary: 'Create an agent',
    description:
      'The new agent has no sources, and the settings of `template`, or none. It counts against the allowance `agents`. Next, add sources, select its model with `updateAiSettings`, and ask it with `chat`.',
    body: createAgentBody,
    idempotent: 'withIt',
    responses: { 201: agentSchema },
    refusals: ['QUOTA_CHATBOT_LIMIT'],
    async handle({ caller, body, origin, idempotency }, { turns, clock, entitlementsOf }) {
      const agent = emptyAgent({
        id: uuidv7(),
        workspaceId: caller.workspaceId,
        ...profileOf(body),
        createdAt: seconds(clock.now()),
      });
      const { template } = body;
      const settings = template === undefined ? {} : templateSettings(template, caller.entitlements);
      const response = created(presentAgent(agent, settings, origin()));
      const stored = storedResponse(idempotency, response, agent.createdAt);
      const limitOf = (workspace: Workspace) => entitlementsOf(workspace).limits.agents;
      const eventOf = (agents: Counted) => quotaNear('agents', agents, agent.createdAt);
      const options = { ...(stored ? { response: stored } : {}), settings, eventOf };
      const fits = await turns.create(agent, limitOf, options);
      if (!fits) throw new ApiError('QUOTA_CHATBOT_LIMIT');
      return response;
    },
  }),
  route({
    id: 'getAgent',
    method: 'GET',
    path: '/agents/:agentId',
    scope: 'agentSettings',
    permission: 'agents.view',
    summary: 'Read an agent',
    description:
      '`settings` contains the settings that are set; for API keys with the scope `chat` it is empty. `listSources` lists the sources of the agent, `getTrainingStatus` shows whether a job is in progress.',
    responses: { 200: agentSchema },
    handle: async ({ agent, settings, caller, origin }) =>
      ok(caller.key?.scope === 'chat' ? presentListedAgent(agent) : presentAgent(agent, settings, origin())),
  }),
  route({
    id: 'updateAgent',
    method: 'PATCH',
    path: '/agents/:agentId',
    scope: 'agentId',
    permission: 'edit',
    summary: 'Change the name or website of an agent',
    description:
      'Omitted fields stay as they are. An empty string or null clears the website. To change the behaviour of the agent, use the operations on settings.',
    query: noDraftQuery,
    body: patchAgentBody,
    responses: { 200: agentSchema },
    async handle({ agentId, body, query, origin }, { agents }) {
      if (query.draft !== undefined)
        throw invalidField('draft', 'is only for settings: name and website have no draft');
      const { agent, settings } = await agents.send(agentId, { kind: 'update', patch: profileOf(body) });
      return ok(presentAgent(agent, settings, origin()));
    },
  }),
  route({
    id: 'deleteAgent',
    method: 'DELETE',
    path: '/agents/:agentId',
    scope: 'agent',
    permission: 'edit',
    summary: 'Delete an agent with its sources, conversations and settings',
    description:
      'Cannot be undone. Open jobs are cancelled, and upload URLs accept no more files. The storage is released at once, or within seconds if the agent has many sources.',
    responses: { 200: deleted },
    async handle({ agent }, { agents, social }) {
      const connection = await social.connection(agent.id);
      await agents.send(agent.id, { kind: 'delete' });
      // Do not wait for the platform: the agent is deleted in any case.
      if (connection) void social.connections.leave(connection);
      return ok({ deleted: true });
    },
  }),
];
