import type { TObject } from '@sinclair/typebox';
import { ApiError } from '../../errors/api-error.js';
import type { AnswerableCode } from '../../errors/catalogue.js';
import {
  aiSettings,
  designSettings,
  notificationSettings,
  securitySettings,
  settingsSchema,
  trainingSettings,
} from '../../schemas/agent-settings.js';
import type { JsonObject } from '../../schemas/json.js';
import { allowsModel } from '../../workspaces/entitlements.js';
import type { Caller } from '../authenticate.js';
import { ok, type Route, route } from '../route.js';
import { designPatch } from './design-patch.js';
import { presentDesign, presentGroup } from './settings.presenter.js';
import {
  patchAiBody,
  patchDesignBody,
  patchNotificationsBody,
  patchSecurityBody,
  patchTrainingBody,
} from './settings.schema.js';
import { settingsOf } from './settings-of.js';

/** A group of settings that is read and written as one bare object of its own. */
interface PlainGroup {
  /** Last part of the path. */
  path: string;
  /** Key inside the settings object. */
  group: 'ai' | 'security' | 'notification' | 'training';
  name: string;
  /** Its name in those of operations. */
  operation: string;
  stored: TObject;
  body: TObject;
  /** What `allowed` refuses with. */
  refusals?: readonly AnswerableCode[];
  /** Throws 403 for what the plan does not include. */
  allowed?: (patch: JsonObject, caller: Caller) => void;
}

const groups: PlainGroup[] = [
  {
    path: 'ai',
    group: 'ai',
    name: 'AI',
    operation: 'Ai',
    stored: aiSettings,
    body: patchAiBody,
    refusals: ['CHAT_MODEL_NOT_ALLOWED'],
    allowed({ model }, { entitlements }) {
      if (typeof model === 'string' && !allowsModel(entitlements.models, model))
        throw new ApiError('CHAT_MODEL_NOT_ALLOWED');
    },
  },
  {
    path: 'security',
    group: 'security',
    name: 'security',
    operation: 'Security',
    stored: securitySettings,
    body: patchSecurityBody,
  },
  {
    path: 'notifications',
    group: 'notification',
    name: 'notification',
    operation: 'Notification',
    stored: notificationSettings,
    body: patchNotificationsBody,
  },
  {
    path: 'training',
    group: 'training',
    name: 'training',
    operation: 'Training',
    stored: trainingSettings,
    body: patchTrainingBody,
    refusals: ['SUBSCRIPTION_API_RESTRICTED_PLAN'],
    allowed({ autoRetrainEnabled }, { entitlements }) {
      if (autoRetrainEnabled === true && !entitlements.features.autoRetrain) {
        throw new ApiError('SUBSCRIPTION_API_RESTRICTED_PLAN');
      }
    },
  },
];

const plainRoutes = groups.flatMap(
  ({ path, group, name, operation, stored, body, refusals = [], allowed }): Route[] => [
    route({
      id: `get${operation}Settings`,
      method: 'GET',
      path: `/agents/:agentId/settings/${path}`,
      scope: 'agent',
      summary: `Read the ${name} settings; {} when unset`,
      responses: { 200: stored },
      handle: async ({ agent }, { reads }) => ok(presentGroup(await settingsOf(reads, agent), group)),
    }),
    route({
      id: `update${operation}Settings`,
      method: 'PATCH',
      path: `/agents/:agentId/settings/${path}`,
      scope: 'agent',
      summary: `Change ${name} settings; fields not named stay as they were`,
      body,
      responses: { 200: stored },
      refusals,
      async handle({ agent, body: patch, caller }, { agents }) {
        allowed?.(patch as JsonObject, caller);
        const { settings } = await agents.ask(agent.id, {
          kind: 'configure',
          patch: { [group]: patch as JsonObject },
        });
        return ok(presentGroup(settings, group));
      },
    }),
  ],
);

export const settingsRoutes: Route[] = [
  ...plainRoutes,
  route({
    id: 'getDesignSettings',
    method: 'GET',
    path: '/agents/:agentId/settings/design',
    scope: 'agent',
    summary: 'Read the design groups',
    responses: { 200: designSettings },
    handle: async ({ agent }, { reads }) => ok(presentDesign(await settingsOf(reads, agent))),
  }),
  route({
    id: 'updateDesignSettings',
    method: 'PATCH',
    path: '/agents/:agentId/settings/design',
    scope: 'agent',
    summary: 'Change design settings; answers the full settings object',
    body: patchDesignBody,
    responses: { 200: settingsSchema },
    async handle({ agent, body, caller }, { agents }) {
      const patch = designPatch(body, { mayHideBranding: caller.entitlements.features.removeBranding });
      const { settings } = await agents.ask(agent.id, { kind: 'configure', patch });
      return ok(settings);
    },
  }),
];
