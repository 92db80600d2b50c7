import type { MemberRow } from '../../ports/store/people/members.js';
import type { UserRow } from '../../ports/store/people/users.js';
import type { Workspace } from '../../ports/store/workspaces.js';
import {
  type PermissionName,
  permissionNames,
  permissionOf,
  rolesWith,
  scopesWith,
} from '../../schemas/permissions.js';
import type { Caller, CallerKey } from '../auth/authenticate.js';

/** Returns what a caller may do. What concerns all agents is closed to callers that are limited to some. */
const permissionsOf = ({
  key,
  member,
  agentIds,
}: Pick<Caller, 'key' | 'member' | 'agentIds'>): PermissionName[] =>
  permissionNames.filter((name) => {
    if (agentIds !== null && permissionOf(name).allAgents) return false;
    if (key) return scopesWith(name).includes(key.scope);
    return member !== null && rolesWith(name).includes(member.role);
  });

export const presentUser = (
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

export const presentKeyCaller = (caller: Caller, { id, name, scope }: CallerKey, workspace: Workspace) => ({
  type: 'key',
  id,
  email: null,
  name,
  timeZone: null,
  away: null,
  scope,
  agentIds: caller.agentIds && [...caller.agentIds],
  workspace: { id: workspace.id, name: workspace.name },
  permissions: permissionsOf(caller),
  notifications: null,
});
