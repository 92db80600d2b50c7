import { Type } from '@sinclair/typebox';
import { existing } from '../../errors/api-error.js';
import type { MailChoices, MemberRow } from '../../ports/store/people/members.js';
import type { UserRow } from '../../ports/store/people/users.js';
import type { Workspace } from '../../ports/store/workspaces.js';
import { keyScopes } from '../../schemas/key-scopes.js';
import {
  type PermissionName,
  permissionOf,
  permissions,
  roles,
  rolesWith,
  scopesWith,
} from '../../schemas/permissions.js';
import { nullable, oneOf, someOf, uuid } from '../../schemas/shapes.js';
import type { Caller } from '../auth/authenticate.js';
import { ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { personName, timeZone } from './person.schema.js';

const permissionNames = Object.keys(permissions) as PermissionName[];

const mailChoices = {
  dailyConversations: Type.Boolean(),
  dailyEmails: Type.Boolean(),
  quotaAlerts: Type.Boolean(),
  handover: Type.Boolean(),
};

const meSchema = Type.Object(
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

const changeMeBody = someOf(
  {
    name: Type.Optional(personName),
    timeZone: Type.Optional(nullable(timeZone)),
    away: Type.Optional(Type.Boolean()),
    notifications: Type.Optional(Type.Partial(Type.Object(mailChoices))),
  },
  { $id: 'ChangeMe' },
);

/** Returns what a caller may do. What concerns all agents is closed to callers that are limited to some. */
export const permissionsOf = ({
  key,
  member,
  agentIds,
}: Pick<Caller, 'key' | 'member' | 'agentIds'>): PermissionName[] =>
  permissionNames.filter((name) => {
    if (agentIds !== null && permissionOf(name).allAgents) return false;
    if (key) return scopesWith(name).includes(key.scope);
    return member !== null && rolesWith(name).includes(member.role);
  });

const presentUser = (
  caller: Caller,
  user: Pick<UserRow, 'email' | 'name' | 'timeZone'>,
  { id, away, role, agentIds, notifications }: MemberRow,
  workspace: Workspace,
) => ({
  type: 'user',
  id,
  email: user.email,
  name: user.name,
  timeZone: user.timeZone,
  away,
  role,
  agentIds,
  workspace: { id: workspace.id, name: workspace.name },
  permissions: permissionsOf(caller),
  notifications,
});

async function readMe(caller: Caller, { people, workspaces }: Services) {
  const workspace = existing(await workspaces.find(caller.workspaceId), 'RESOURCE_NOT_FOUND');
  const { key, member } = caller;
  if (member) {
    const [user, row] = await Promise.all([
      people.users.find(member.userId),
      people.members.find(caller.workspaceId, member.id),
    ]);
    const found = existing(row, 'RESOURCE_NOT_FOUND');
    return presentUser(caller, existing(user, 'RESOURCE_NOT_FOUND'), found, workspace);
  }
  return {
    type: 'key',
    id: key?.id,
    email: null,
    name: key?.name,
    timeZone: null,
    away: null,
    scope: key?.scope,
    agentIds: caller.agentIds && [...caller.agentIds],
    workspace: { id: workspace.id, name: workspace.name },
    permissions: permissionsOf(caller),
    notifications: null,
  };
}

const shared = { extension: true, scope: 'workspace', path: '/me' } as const;

export const meRoutes: Route[] = [
  route({
    ...shared,
    id: 'getMe',
    method: 'GET',
    permission: 'me.view',
    summary: 'Show who the caller is, and what the caller may do',
    description: 'For a key: its scope. For a signed-in person: the membership of this workspace.',
    responses: { 200: meSchema },
    handle: async ({ caller }, services) => ok(await readMe(caller, services)),
  }),
  route({
    ...shared,
    id: 'updateMe',
    method: 'PATCH',
    permission: 'me.change',
    summary: 'Change the own name, time zone, presence and e-mails',
    description:
      'Name and time zone are those of the person everywhere; `away` and `notifications` apply to this workspace.',
    body: changeMeBody,
    responses: { 200: meSchema },
    async handle({ caller, body }, services) {
      const { people } = services;
      const { name, timeZone, away, notifications } = body;
      const { userId, id } = existing(caller.member, 'RESOURCE_NOT_FOUND');
      if (name !== undefined || timeZone !== undefined)
        await people.users.change(userId, {
          ...(name === undefined ? {} : { name }),
          ...(timeZone === undefined ? {} : { timeZone }),
        });
      if (away !== undefined || notifications !== undefined)
        await people.members.choose(id, {
          ...(away === undefined ? {} : { away }),
          ...(notifications === undefined ? {} : { notifications }),
        });
      return ok(await readMe(caller, services));
    },
  }),
];
