import type { Static } from '@sinclair/typebox';
import { mustBeComplete, targetFields } from '../../actors/agent/social/automations.js';
import { existing } from '../../errors/api-error.js';
import type { AutomationRow, AutomationType } from '../../ports/store/channels/channels.js';
import { limits } from '../../schemas/limits.js';
import { deleted } from '../../schemas/shapes.js';
import { responseOf } from '../pipeline/respond-once.js';
import { uuidIn } from '../pipeline/uuid-in.js';
import { created, ok, type Route, route } from '../route.js';
import { presentAutomation } from './social.presenter.js';
import {
  automationListSchema,
  automationSchema,
  createAutomationBody,
  listAutomationsQuery,
  patchAutomationBody,
} from './social.schema.js';
import { connected, SOCIAL } from './social-access.js';

const all = { path: `${SOCIAL}/automations`, extension: true } as const;
const one = { path: `${SOCIAL}/automations/:automationId`, extension: true } as const;

const idOf = uuidIn('automationId');

/** Returns a function that converts a body into changes, for the type of the automation. Ignores fields of other types. */
const patchOf =
  (body: Static<typeof patchAutomationBody>) =>
  (type: AutomationType): Partial<AutomationRow> => {
    const { scope, id } = targetFields[type];
    const { name, status, keywords, message, [scope]: newScope, [id]: targetId } = body;
    const patch = { name, status, keywords, message, scope: newScope, targetId };
    return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  };

const conflicts = [
  'SOCIAL_NOT_CONNECTED',
  'SOCIAL_RECONNECT_REQUIRED',
  'SOCIAL_AUTOMATION_TARGET_TAKEN',
  'SOCIAL_AUTOMATION_CATCH_ALL_EXISTS',
] as const;

export const automationRoutes: Route[] = [
  route({
    ...all,
    id: 'listAutomations',
    method: 'GET',
    scope: 'agent',
    permission: 'view',
    summary: 'List the automations of the social channel, newest first',
    description: `At most ${limits.social.automations}, drafts included.`,
    query: listAutomationsQuery,
    list: ({ agent, query }) => `automations/${agent.id}/${query.status ?? ''}`,
    responses: { 200: automationListSchema },
    refusals: ['SOCIAL_NOT_CONNECTED'],
    async handle({ agent, query, list }, services) {
      await connected(services, agent.id);
      const { channels, cursors } = services;
      const request = cursors.request(list, query);
      const status = query.status ?? null;
      const [rows, total] = await Promise.all([
        channels.automations(agent.id, request, status),
        channels.countAutomations(agent.id, status),
      ]);
      return ok(cursors.page(list, request, rows, total, presentAutomation));
    },
  }),
  route({
    ...all,
    id: 'createAutomation',
    method: 'POST',
    scope: 'agentId',
    permission: 'edit',
    summary: 'Create an automation, as a draft or live',
    description:
      'A live automation sends its message once to each person who comments on its post or replies to its story. Each post or story has at most one live automation, and so does the scope `any` of each type.',
    body: createAutomationBody,
    idempotent: 'withIt',
    responses: { 201: automationSchema },
    refusals: conflicts,
    async handle({ agentId, body, idempotency }, { agents, social }) {
      const { type, ...rest } = body;
      const patch = patchOf(rest);
      const draft = { status: 'draft', scope: null, targetId: null, message: null } as const;
      mustBeComplete({ type, ...draft, ...patch(type) });
      existing(social.channel.isConfigured || null, 'SOCIAL_NOT_CONNECTED');
      const message = { kind: 'saveAutomation', automationId: null, type, patch } as const;
      return responseOf(agents, { agentId, idempotency }, message, ({ automation }) =>
        created(presentAutomation(automation)),
      );
    },
  }),
  route({
    ...one,
    id: 'getAutomation',
    method: 'GET',
    scope: 'agent',
    permission: 'view',
    summary: 'Read an automation',
    description: 'Returns its target, keywords, message and status.',
    responses: { 200: automationSchema },
    refusals: ['SOCIAL_NOT_CONNECTED', 'RESOURCE_NOT_FOUND'],
    async handle({ agent, params }, services) {
      await connected(services, agent.id);
      const row = await services.channels.automation(agent.id, idOf(params));
      return ok(presentAutomation(existing(row, 'RESOURCE_NOT_FOUND')));
    },
  }),
  route({
    ...one,
    id: 'updateAutomation',
    method: 'PATCH',
    scope: 'agentId',
    permission: 'edit',
    summary: 'Change an automation, set it live, or make it a draft',
    description: 'Omitted fields stay as they are. The type cannot be changed.',
    body: patchAutomationBody,
    responses: { 200: automationSchema },
    refusals: [...conflicts, 'RESOURCE_NOT_FOUND'],
    async handle({ agentId, params, body }, services) {
      await connected(services, agentId);
      const { automation } = await services.agents.send(agentId, {
        kind: 'saveAutomation',
        automationId: idOf(params),
        type: 'comment_to_dm',
        patch: patchOf(body),
      });
      return ok(presentAutomation(automation));
    },
  }),
  route({
    ...one,
    id: 'deleteAutomation',
    method: 'DELETE',
    scope: 'agentId',
    permission: 'edit',
    summary: 'Delete an automation',
    description: 'Its queued messages are still sent.',
    responses: { 200: deleted },
    refusals: ['SOCIAL_NOT_CONNECTED', 'RESOURCE_NOT_FOUND'],
    async handle({ agentId, params }, services) {
      await connected(services, agentId);
      await services.agents.send(agentId, { kind: 'deleteAutomation', automationId: idOf(params) });
      return ok({ deleted: true });
    },
  }),
];
