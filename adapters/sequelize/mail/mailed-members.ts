import type { MailedMember } from '../../../core/ports/store/daily-mails.js';
import type { Role } from '../../../core/schemas/permissions.js';
import type { Statements } from '../database/statements.js';
import { decodeMembers } from '../people/memberships.js';
import { memberFields } from '../tables/people.js';

/** Condition in which a member may get e-mails about agents, in a join of `members` with `users`. Takes the roles. */
export const MAILED = `members.joined_at IS NOT NULL AND members.disabled = 0 AND users.disabled = 0
  AND users.proven_at IS NOT NULL AND members.role IN (?)`;

/** Returns members for e-mails that match a condition. */
export async function mailedMembers(
  read: Statements['select'],
  roles: readonly Role[],
  condition: string,
  params: readonly unknown[],
): Promise<MailedMember[]> {
  const rows = await read(
    `SELECT ${memberFields}, users.time_zone AS user_time_zone, workspaces.time_zone AS workspace_time_zone,
        workspaces.name AS workspace_name
      FROM members JOIN users ON users.id = members.user_id
      JOIN workspaces ON workspaces.id = members.workspace_id
      WHERE ${MAILED} AND ${condition}`,
    [roles, ...params],
  );
  const members = await decodeMembers(read, rows);
  return members.map(({ id, userId, email, name, workspaceId, agentIds, notifications }, n) => ({
    id,
    userId,
    email,
    name,
    workspaceId,
    workspaceName: rows[n]?.workspace_name as string,
    timeZone: (rows[n]?.user_time_zone ?? rows[n]?.workspace_time_zone ?? 'UTC') as string,
    agentIds,
    notifications,
  }));
}
