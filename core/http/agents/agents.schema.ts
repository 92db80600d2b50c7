import { Type } from '@sinclair/typebox';
import { settingsSchema } from '../../agent-settings/groups.js';
import { limits } from '../../schemas/limits.js';
import { listOf, nullable, pageQuery, someOf, unixSeconds, uuid } from '../../schemas/shapes.js';

const name = Type.String({
  trim: true,
  minLength: limits.agentName.min,
  maxLength: limits.agentName.max,
  description: 'Trimmed, 1 to 255 characters',
});
const url = nullable(
  Type.String({
    format: 'http-url-or-empty',
    description: 'Website of the agent; an empty string or null clears it',
  }),
);

export const agentSchema = Type.Object(
  {
    id: uuid('Agent id (UUID v7)'),
    name: Type.String(),
    url: nullable(Type.String()),
    createdAt: nullable(unixSeconds('Creation')),
    settings: settingsSchema,
  },
  { $id: 'Agent' },
);

export const agentListSchema = listOf(agentSchema, 'AgentList');
export const listAgentsQuery = Type.Object(pageQuery, { $id: 'ListAgentsQuery' });
export const createAgentBody = Type.Object({ name, url: Type.Optional(url) }, { $id: 'CreateAgent' });
export const patchAgentBody = someOf(
  { name: Type.Optional(name), url: Type.Optional(url) },
  { $id: 'PatchAgent' },
);
