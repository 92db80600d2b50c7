import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { roles } from '../../schemas/permissions.js';
import { listOf, nullable, oneOf, pageQuery, someOf, unixSeconds, uuid } from '../../schemas/shapes.js';

const { email, agents } = limits.people;

const role = oneOf(roles, { description: 'Each role includes the ones before it', examples: ['editor'] });

const agentIds = nullable(
  Type.Array(uuid('Agent id'), {
    minItems: agents.min,
    maxItems: agents.max,
    description: 'Agents to which the member is limited; null: all. An owner cannot be limited',
  }),
);

export const memberStatuses = ['active', 'invited', 'disabled'] as const;

const member = {
  id: uuid('Id of the membership'),
  email: nullable(
    Type.String({
      description: 'Shown to admins, and to the member. Null for all others',
      examples: ['ada@acme.com'],
    }),
  ),
  name: nullable(Type.String({ description: 'Null while invited', examples: ['Ada Lovelace'] })),
  role,
  agentIds: nullable(Type.Array(uuid('Agent id'))),
  status: oneOf(memberStatuses),
  lastSeenAt: nullable(unixSeconds('Last request in this workspace, rounded down to the hour')),
  createdAt: unixSeconds('Invitation'),
};

const keys = Type.Array(Type.Object({ id: uuid('Key id'), name: Type.String() }), {
  description: 'API keys that this member has created. They stay valid; delete those that should end',
});

export const memberSchema = Type.Object(member, { $id: 'Member' });
export const memberListSchema = listOf(memberSchema, 'MemberList');
export const invitedMember = Type.Object(
  {
    ...member,
    inviteUrl: Type.String({
      description: 'Link to accept the invitation, valid for 7 days. Shown only once',
      examples: ['https://cadre.acme.com/console/invitation#Zt0hZ6tJ3mX9qLw2cV8rB1nK5sF7yD4gA0pE6uH2jQk'],
    }),
  },
  { $id: 'InvitedMember' },
);
export const changedMember = Type.Object({ ...member, keys }, { $id: 'ChangedMember' });
export const deletedMember = Type.Object({ deleted: Type.Literal(true), keys }, { $id: 'DeletedMember' });

export const inviteBody = Type.Object(
  {
    email: Type.String({ trim: true, minLength: 1, maxLength: email, examples: ['ada@acme.com'] }),
    role,
    agentIds: Type.Optional(agentIds),
  },
  { $id: 'InviteMember' },
);

export const changeMemberBody = someOf(
  {
    role: Type.Optional(role),
    agentIds: Type.Optional(agentIds),
    disabled: Type.Optional(
      Type.Boolean({ description: 'A disabled member keeps the membership and can do nothing with it' }),
    ),
  },
  { $id: 'ChangeMember' },
);

export const listMembersQuery = Type.Object(pageQuery, { $id: 'ListMembersQuery' });
