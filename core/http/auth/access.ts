import { ApiError } from '../../errors/api-error.js';
import { includesRole, type PermissionName, permissionOf, scopesWith } from '../../schemas/permissions.js';
import type { Route } from '../route.js';
import type { Caller, CallerKey, CallerMember } from './authenticate.js';

/** Throws 403 if the key or the member may not do the operation, or only for all agents. */
export function assertAllowed(
  { permission }: Pick<Route, 'permission'>,
  { key, member, agentIds }: Pick<Caller, 'key' | 'member' | 'agentIds'>,
): void {
  const isLimited = agentIds !== null && permissionOf(permission).allAgents === true;
  if (key) assertKey(permission, key, isLimited);
  if (member) assertMember(permission, member, isLimited);
}

/** Returns whether the caller is a member or an API key with this permission. Visitors have none. */
export function may(permission: PermissionName, { key, member }: Pick<Caller, 'key' | 'member'>): boolean {
  if (member) return includesRole(member.role, permissionOf(permission).role);
  return key !== null && scopesWith(permission).includes(key.scope);
}

/** Whether the caller may answer conversations in place of the agent. */
export const isStaff = (caller: Pick<Caller, 'key' | 'member'>): boolean =>
  may('conversations.answer', caller);

function assertKey(permission: Route['permission'], key: CallerKey, isLimited: boolean): void {
  const { keyScope, role } = permissionOf(permission);
  if (keyScope === null)
    throw forbidden(role, 'No API key allows the operation. Sign in to the console, and do it there.');
  const needed = `Use a key with the scope ${keyScope}`;
  if (!scopesWith(permission).includes(key.scope))
    throw forbidden(keyScope, `This API key does not allow the operation. ${needed}.`);
  if (isLimited)
    throw forbidden(
      keyScope,
      `This API key does not allow the operation. ${needed} that is not limited to agents.`,
    );
}

function assertMember(permission: Route['permission'], member: CallerMember, isLimited: boolean): void {
  const { role } = permissionOf(permission);
  if (!includesRole(member.role, role))
    throw forbidden(role, `Your role does not allow this. It needs the role ${role}; ask an admin.`);
  if (isLimited)
    throw forbidden(
      role,
      'Your membership is limited to some agents, and this concerns all of them. Ask an admin.',
    );
}

const forbidden = (required: string, message: string): ApiError =>
  new ApiError('AUTH_INSUFFICIENT_PERMISSIONS', { message, details: { required } });

/** Returns the 403 for members without two-factor authentication. */
export const needsTwoFactor = (message: string): ApiError => forbidden('twoFactor', message);

/** Throws the 404 of a missing agent if the caller is limited to other agents. */
export function assertOwn({ agentIds }: Pick<Caller, 'agentIds'>, agentId: string): void {
  if (agentIds !== null && !agentIds.has(agentId)) throw new ApiError('AGENT_NOT_FOUND');
}
