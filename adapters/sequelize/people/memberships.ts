import type { MemberRow } from '../../../core/ports/store/people/members.js';
import type { Workspace } from '../../../core/ports/store/workspaces.js';
import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import type { Statements } from '../database/statements.js';
import { memberFields, memberOf } from '../tables/people.js';
import { workspaces } from '../tables/workspaces.js';

type Select = Statements['select'];

export const MEMBER_WITH_USER = `SELECT ${memberFields} FROM members JOIN users ON users.id = members.user_id`;

/** Decodes rows of members with their agents, with one more statement if any of them is limited. */
export async function decodeMembers(select: Select, rows: readonly Row[]): Promise<MemberRow[]> {
  const limited = rows.filter((row) => Boolean(row.member_limited_to_agents)).map((row) => row.member_id);
  const agents =
    limited.length === 0
      ? []
      : await select(
          ...withLists(
            'SELECT member_id, agent_id FROM member_agents WHERE member_id IN (?) ORDER BY agent_id',
            [limited],
          ),
        );
  return rows.map((row) =>
    memberOf(
      row,
      agents.filter(({ member_id }) => member_id === row.member_id).map(({ agent_id }) => agent_id as string),
    ),
  );
}

/** Returns the memberships with which a user may do something now. */
export async function activeMemberships(
  { read }: Connection,
  userId: string,
): Promise<{ member: MemberRow; workspace: Workspace }[]> {
  const rows = await read(
    `SELECT ${memberFields}, ${workspaces.list({ of: 'workspaces', as: 'workspace_' })}
      FROM members JOIN users ON users.id = members.user_id
      JOIN workspaces ON workspaces.id = members.workspace_id
      WHERE members.user_id = ? AND members.joined_at IS NOT NULL AND members.disabled = 0
      ORDER BY members.id`,
    [userId],
  );
  const found = await decodeMembers((sql, params) => read(sql, params), rows);
  return found.map((member, n) => ({
    member,
    workspace: workspaces.decode(rows[n] as Row, 'workspace_'),
  }));
}
