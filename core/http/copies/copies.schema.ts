import { Type } from '@sinclair/typebox';
import { newProfile } from '../../schemas/agent-profile.js';
import { uuid } from '../../schemas/shapes.js';

export const copyAgentBody = Type.Object(
  {
    name: Type.Optional(newProfile.name),
    sources: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the copy gets the sources, too' }),
    ),
  },
  { $id: 'CopyAgent' },
);

export const copyAccepted = Type.Object(
  {
    jobId: Type.String({ description: 'Job of the new agent' }),
    agentId: uuid('The new agent, which exists when the job has ended'),
  },
  { $id: 'CopyAccepted' },
);
