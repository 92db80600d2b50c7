import { Type } from '@sinclair/typebox';
import { settingsSchema } from '../../agent-settings/groups.js';
import { templateIds } from '../../agent-settings/templates.js';
import { changedProfile, newProfile, storedProfile } from '../../schemas/agent-profile.js';
import type { JsonObject } from '../../schemas/json.js';
import {
  listOf,
  nullable,
  oneOf,
  pageQuery,
  searchedText,
  someOf,
  unixSeconds,
  uuid,
} from '../../schemas/shapes.js';

export const agentSchema = Type.Object(
  {
    id: uuid('Agent id (UUID v7)'),
    ...storedProfile,
    createdAt: nullable(unixSeconds('Creation')),
    settings: settingsSchema,
  },
  { $id: 'Agent' },
);

export const agentListSchema = listOf(agentSchema, 'AgentList');
export const listAgentsQuery = Type.Object(
  { ...pageQuery, q: Type.Optional(searchedText('name')) },
  { $id: 'ListAgentsQuery' },
);
const template = oneOf(templateIds, { description: 'Starting point: the settings of this template' });

export const createAgentBody = Type.Object(
  { ...newProfile, template: Type.Optional(template) },
  { $id: 'CreateAgent' },
);

export const templateListSchema = listOf(
  Type.Object(
    {
      id: oneOf(templateIds),
      name: Type.String(),
      description: Type.String(),
      settings: Type.Unsafe<JsonObject>({
        type: 'object',
        description: 'As `getAgent` and the operations on settings return them, without a model',
        examples: [{ title: 'Support' }],
      }),
    },
    { $id: 'Template' },
  ),
  'TemplateList',
);
/** Refused, because a client may expect it to work as for settings. */
export const noDraftQuery = Type.Object(
  { draft: Type.Optional(Type.Boolean({ description: 'Refused: only settings have a draft' })) },
  { $id: 'NoDraftQuery' },
);
export const patchAgentBody = someOf(changedProfile, { $id: 'PatchAgent' });
