import { Type } from '@sinclair/typebox';
import { actorTypes } from '../../ports/store/audit.js';
import { listOf, nullable, oneOf, pageQuery, unixSeconds, uuid } from '../../schemas/shapes.js';

export const auditQuery = Type.Object(
  {
    ...pageQuery,
    actor: Type.Optional(uuid('Id of the member or key that made the changes')),
    action: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[A-Za-z.]+$',
        description: 'Id of the operation, such as `updateAgent`',
      }),
    ),
    agentId: Type.Optional(uuid('Only changes of this agent')),
    from: Type.Optional(unixSeconds('Only changes from this second on')),
    to: Type.Optional(unixSeconds('Only changes up to this second')),
  },
  { $id: 'AuditQuery' },
);

const value = Type.Unsafe<unknown>({
  anyOf: [
    { type: 'string', description: 'At most 200 characters' },
    { type: 'number' },
    { type: 'boolean' },
    {
      type: 'object',
      description: 'Of a content or prompt, which is not shown',
      required: ['length', 'sha256'],
      properties: { length: { type: 'integer', minimum: 0 }, sha256: { type: 'string' } },
    },
    { type: 'null' },
  ],
});

const auditRow = Type.Object(
  {
    id: uuid('Id of the row'),
    at: unixSeconds('When the change was made'),
    actor: Type.Object({
      type: oneOf(actorTypes),
      id: nullable(uuid('Id of the membership, or of the key; null for the operator')),
      label: Type.String({ description: 'Name at that time', examples: ['Ada Lovelace'] }),
    }),
    action: Type.String({ description: 'Id of the operation', examples: ['updateAgent'] }),
    target: Type.Object({
      type: Type.String({ examples: ['agent'] }),
      id: nullable(Type.String({ description: 'Null if the change has no single target' })),
      label: nullable(Type.String({ description: 'Name or title at that time' })),
    }),
    agentId: nullable(uuid('The agent that was changed')),
    changes: Type.Record(Type.String(), Type.Object({ before: value, after: value }), {
      description: 'What was changed, by field. Secrets and messages are never shown',
    }),
    requestId: nullable(Type.String({ description: '`x-request-id` of the request' })),
    address: nullable(
      Type.String({
        description: 'Network of the client: /24 of IPv4, /48 of IPv6',
        examples: ['203.0.113.0/24'],
      }),
    ),
  },
  { $id: 'AuditRow' },
);

export const auditListSchema = listOf(auditRow, 'AuditList');
