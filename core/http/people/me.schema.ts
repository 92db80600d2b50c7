import { Type } from '@sinclair/typebox';
import type { MailChoices } from '../../ports/store/people/members.js';
import { keyScopes } from '../../schemas/key-scopes.js';
import { permissionNames, roles } from '../../schemas/permissions.js';
import { nullable, oneOf, someOf, uuid } from '../../schemas/shapes.js';
import { personName, timeZone } from './person.schema.js';

const mailChoices = {
  dailyConversations: Type.Boolean(),
  dailyEmails: Type.Boolean(),
  quotaAlerts: Type.Boolean(),
  handover: Type.Boolean(),
};

export const meSchema = Type.Object(
  {
    type: oneOf(['user', 'key']),
    id: uuid('Id of the membership, or of the key'),
    email: nullable(Type.String()),
    name: Type.String(),
    timeZone: nullable(Type.String({ description: 'Null for that of the workspace' })),
    away: nullable(Type.Boolean({ description: 'Whether the member is away in this workspace' })),
    role: Type.Optional(oneOf(roles, { description: 'Of a user' })),
    scope: Type.Optional(oneOf(keyScopes, { description: 'Of a key' })),
    agentIds: nullable(Type.Array(uuid('Agent id'), { description: 'Null for all agents' })),
    workspace: Type.Object({ id: uuid('Workspace id'), name: Type.String() }),
    permissions: Type.Array(oneOf(permissionNames), {
      description: 'What the caller may do, as in `x-role` and `x-key-scope` of each operation',
    }),
    notifications: Type.Unsafe<MailChoices | null>({
      anyOf: [Type.Object(mailChoices), { type: 'null' }],
      description:
        'What this member gets by e-mail from the workspace, if the settings of an agent ask for it',
    }),
  },
  { $id: 'Me' },
);

export const changeMeBody = someOf(
  {
    name: Type.Optional(personName),
    timeZone: Type.Optional(nullable(timeZone)),
    away: Type.Optional(Type.Boolean()),
    notifications: Type.Optional(Type.Partial(Type.Object(mailChoices))),
  },
  { $id: 'ChangeMe' },
);
