import { Type } from '@sinclair/typebox';
import { settingsSchema } from '../../agent-settings/groups.js';
import { changedProfile, newProfile, storedProfile } from '../../schemas/agent-profile.js';
import {
  listOf,
  nullable,
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
export const createAgentBody = Type.Object(newProfile, { $id: 'CreateAgent' });
export const patchAgentBody = someOf(changedProfile, { $id: 'PatchAgent' });
