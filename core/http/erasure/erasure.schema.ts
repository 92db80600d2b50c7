import { Type } from '@sinclair/typebox';
import { erasureCounters } from '../../ports/store/erasures.js';
import { limits } from '../../schemas/limits.js';
import { oneOf, uuid } from '../../schemas/shapes.js';

const optional = Type.Optional;

export const personBody = Type.Object(
  {
    userId: optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'User of conversations, of every source' }),
    ),
    email: optional(
      Type.String({
        trim: true,
        minLength: 1,
        maxLength: limits.contacts.email,
        description: 'Address in contact details, not verified',
        examples: ['ada@acme.com'],
      }),
    ),
    agentId: optional(uuid('Only the data of this agent')),
    all: optional(Type.Boolean({ description: 'true: the data of all agents of the workspace' })),
  },
  { $id: 'PersonBody' },
);

export const erasureSchema = Type.Object(
  {
    id: uuid('Erasure id'),
    status: oneOf(['running', 'done']),
    counts: Type.Object(
      Object.fromEntries(erasureCounters.map((name) => [name, Type.Integer({ minimum: 0 })])),
      { description: 'Deleted rows. Final when the status is `done`' },
    ),
    sources: Type.Array(Type.String(), {
      description: "Ids of sources with a question that equals one of the person's. They are not deleted",
    }),
  },
  { $id: 'Erasure' },
);
