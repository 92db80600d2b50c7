import type {
  MailedInvitation,
  MemberChange,
  MemberRow,
  Members,
  OwnKey,
} from '../../../core/ports/store/people/members.js';
import { writeAudit, writeUserAudit } from '../audit/insert-audit.js';
import type { Connection } from '../database/connection.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { upsert } from '../database/upsert.js';
import { insertRows } from '../database/write-rows.js';
import { waiting } from '../mail/mails.js';
import { lockWorkspace } from '../rows/lock-workspace.js';
import { mails } from '../tables/mails.js';
import { links, members, users } from '../tables/people.js';
import { emailHash } from './email-hash.js';
import { activeMemberships, decodeMembers, MEMBER_WITH_USER } from './memberships.js';

/** Condition for active owners, in a join of `members` with `users`. */
export const ACTIVE_OWNER =
  "members.role = 'owner' AND members.joined_at IS NOT NULL AND members.disabled = 0 AND users.disabled = 0";

/** Whether the workspace has an active owner beside these members. */
export async function hasOtherOwner(
  { select }: Pick<Statements, 'select'>,
  workspaceId: string,
  except: readonly string[] = [],
): Promise<boolean> {
  const rows = await select(
    `SELECT members.id FROM members JOIN users ON users.id = members.user_id
      WHERE members.workspace_id = ? AND ${ACTIVE_OWNER}`,
    [workspaceId],
  );
  return rows.some((row) => !except.includes(row.id as string));
}

const targetOf = ({ id, name }: Pick<MemberRow, 'id' | 'name'>) => ({
  target: { type: 'member', id, label: name || null },
});

const isActiveOwner = ({ role, joinedAt, disabled }: MemberRow): boolean =>
  role === 'owner' && joinedAt !== null && !disabled;

const memberIn = async (
  { select }: Pick<Statements, 'select'>,
  workspaceId: string,
  memberId: string,
): Promise<MemberRow | null> => {
  const rows = await select(`${MEMBER_WITH_USER} WHERE members.id = ? AND members.workspace_id = ?`, [
    memberId,
    workspaceId,
  ]);
  return (await decodeMembers(select, rows))[0] ?? null;
};

const keysOf = async ({ select }: Pick<Statements, 'select'>, memberId: string): Promise<OwnKey[]> =>
  (
    await select('SELECT id, name FROM api_keys WHERE created_by_id = ? AND revoked_at IS NULL ORDER BY id', [
      memberId,
    ])
  ).map(({ id, name }) => ({ id: id as string, name: name as string }));

/** Inserts the agents that belong to the workspace. */
async function insertAgents(
  statements: Statements,
  memberId: string,
  workspaceId: string,
  agentIds: readonly string[],
): Promise<void> {
  const own = await statements.select('SELECT id FROM agents WHERE id IN (?) AND workspace_id = ?', [
    agentIds,
    workspaceId,
  ]);
  const rows = own.map(({ id }) => ({ member_id: memberId, agent_id: id }));
  if (rows.length > 0) await insertRows(statements, 'member_agents', rows);
}

/** Finds the user of an address, or creates one without a password. Returns the id. */
export async function userFor(
  { dialect, select, execute }: Statements,
  { userId, email, name, createdAt }: { userId: string; email: string; name: string; createdAt: number },
): Promise<string> {
  const columns = ['id', 'email', 'name', 'disabled', 'failed_sign_ins', 'created_at'];
  const insert = upsert(dialect, 'users', ['email_hash'], columns, (column) => column);
  const hash = emailHash(email);
  await execute(insert, [hash, userId, email, name, false, 0, createdAt]);
  const [row] = await select('SELECT id FROM users WHERE email_hash = ?', [hash]);
  return row?.id as string;
}

/** Deletes a membership, and the user with the last one. Keys of a deleted user keep `label`. */
export async function deleteMembership(
  { dialect, select, execute }: Statements,
  { id, userId, workspaceId }: Pick<MemberRow, 'id' | 'userId' | 'workspaceId'>,
  { label, personHash }: { label: string; personHash: string | null },
): Promise<void> {
  await execute('DELETE FROM members WHERE id = ?', [id]);
  if (personHash !== null) {
    const sql = 'DELETE FROM removed_members WHERE workspace_id = ? AND person_hash = ?';
    await execute(sql, [workspaceId, personHash]);
    await execute('INSERT INTO removed_members (workspace_id, person_hash) VALUES (?, ?)', [
      workspaceId,
      personHash,
    ]);
  }
  await execute('DELETE FROM member_agents WHERE member_id = ?', [id]);
  await execute('DELETE FROM links WHERE member_id = ?', [id]);
  await execute('UPDATE api_keys SET created_by_name = ? WHERE created_by_id = ?', [label, id]);
  for (const table of ['audit', 'agent_versions'])
    await execute(`UPDATE ${table} SET actor_label = ? WHERE workspace_id = ? AND actor_id = ?`, [
      label,
      workspaceId,
      id,
    ]);
  await execute(
    "UPDATE audit SET target_label = ? WHERE workspace_id = ? AND target_type = 'member' AND target_id = ?",
    [label, workspaceId, id],
  );
  // The locks let another workspace invite the user before this, or a new user of the address after it.
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  await select(`SELECT id FROM users WHERE id = ?${lock}`, [userId]);
  const others = await select(`SELECT id FROM members WHERE user_id = ? LIMIT 1${lock}`, [userId]);
  if (others.length === 0) await deleteUser({ execute }, userId);
}

/** Inserts the mail of an invitation and its link, for the user that the address has. */
async function insertMailed(
  statements: Statements,
  { link, mail }: MailedInvitation,
  { id: memberId, userId }: { id: string; userId: string },
): Promise<void> {
  const [user] = await statements.select('SELECT name FROM users WHERE id = ?', [userId]);
  const row = mails.encode(waiting({ ...mail, userId, name: (user?.name as string | undefined) ?? '' }));
  await insertRows(statements, mails.name, [mails.byColumn(row)]);
  const ofMember = links.encode({ ...link, userId, memberId });
  await insertRows(statements, links.name, [links.byColumn(ofMember)]);
}

/** Deletes a user without memberships. */
export async function deleteUser({ execute }: Pick<Statements, 'execute'>, userId: string): Promise<void> {
  const tables = ['sessions', 'devices', 'links', 'recovery_codes', 'failed_sign_ins', 'identities', 'mails'];
  for (const table of tables) await execute(`DELETE FROM ${table} WHERE user_id = ?`, [userId]);
  await execute('DELETE FROM users WHERE id = ?', [userId]);
}

export function createMembers(connection: Connection, transact: Transact): Members {
  const { read } = connection;
  const reading = { select: read };
  const write = <T>(workspaceId: string, work: (statements: Statements) => Promise<T>): Promise<T> =>
    transact(async (transaction) => {
      const statements = statementsIn(connection, transaction);
      await lockWorkspace(statements, workspaceId);
      return work(statements);
    }, workspaceId);

  return {
    async page(workspaceId, { limit, before }) {
      const older = before === null ? '' : ' AND members.id < ?';
      const params = before === null ? [workspaceId] : [workspaceId, before];
      const [found, [count]] = await Promise.all([
        read(
          `${MEMBER_WITH_USER} WHERE members.workspace_id = ?${older} ORDER BY members.id DESC LIMIT ${limit + 1}`,
          params,
        ),
        read('SELECT COUNT(*) AS n FROM members WHERE workspace_id = ?', [workspaceId]),
      ]);
      return { rows: await decodeMembers(read, found), total: Number(count?.n ?? 0) };
    },
    find: (workspaceId, memberId) => memberIn(reading, workspaceId, memberId),
    async count(workspaceId) {
      const [row] = await read('SELECT COUNT(*) AS n FROM members WHERE workspace_id = ?', [workspaceId]);
      return Number(row?.n ?? 0);
    },
    hasOwner: (workspaceId) => hasOtherOwner(reading, workspaceId),
    add: (member, link, most, { mailed = null, personHash, byProvider = false } = {}) =>
      write(member.workspaceId, async (statements) => {
        const { select } = statements;
        const { workspaceId, agentIds, id } = member;
        const removed = 'workspace_id = ? AND person_hash = ?';
        const person = [workspaceId, personHash ?? ''];
        if (byProvider) {
          const rows = await select(`SELECT person_hash FROM removed_members WHERE ${removed}`, person);
          if (rows.length > 0) return 'removed';
        } else if (personHash)
          await statements.execute(`DELETE FROM removed_members WHERE ${removed}`, person);
        const userId = await userFor(statements, member);
        const [known] = await select('SELECT id FROM members WHERE user_id = ? AND workspace_id = ?', [
          userId,
          workspaceId,
        ]);
        if (known) return 'duplicate';
        const [count] = await select('SELECT COUNT(*) AS n FROM members WHERE workspace_id = ?', [
          workspaceId,
        ]);
        if (Number(count?.n) >= most) {
          // A user without a membership is of no use.
          if (userId === member.userId) await deleteUser(statements, userId);
          return 'full';
        }
        const row = members.encode({
          id,
          workspaceId,
          userId,
          role: member.role,
          limitedToAgents: agentIds !== null,
          joinedAt: member.joinedAt,
          disabled: false,
          away: false,
          notifications: {},
          lastSeenAt: null,
          createdAt: member.createdAt,
        });
        await insertRows(statements, members.name, [members.byColumn(row)]);
        if (agentIds) await insertAgents(statements, id, workspaceId, agentIds);
        if (link) {
          const ofMember = links.encode({ ...link, userId, memberId: id });
          await insertRows(statements, links.name, [links.byColumn(ofMember)]);
        }
        if (mailed) await insertMailed(statements, mailed, { id, userId });
        if (byProvider) await writeUserAudit(statements, userId, [workspaceId]);
        else await writeAudit(statements, targetOf(member));
        return 'added';
      }),
    change: (workspaceId, memberId, change, check) =>
      write(workspaceId, async (statements) => {
        const now = await memberIn(statements, workspaceId, memberId);
        if (!now) return { outcome: 'unknown' };
        check(now);
        const next = { ...now, ...change };
        if (
          isActiveOwner(now) &&
          !isActiveOwner(next) &&
          !(await hasOtherOwner(statements, workspaceId, [now.id]))
        )
          return { outcome: 'last' };
        await apply(statements, now, change);
        await writeAudit(statements, { ...targetOf(now), before: now, after: change });
        const member = (await memberIn(statements, workspaceId, memberId)) ?? next;
        return { outcome: 'done', member, keys: await keysOf(statements, memberId) };
      }),
    remove: (workspaceId, memberId, { label, personHash }, check) =>
      write(workspaceId, async (statements) => {
        const member = await memberIn(statements, workspaceId, memberId);
        if (!member) return { outcome: 'unknown' };
        check(member);
        if (isActiveOwner(member) && !(await hasOtherOwner(statements, workspaceId, [member.id])))
          return { outcome: 'last' };
        const keys = await keysOf(statements, memberId);
        await deleteMembership(statements, member, { label, personHash });
        // After the labels of the member's own rows have changed.
        await writeAudit(statements, { target: { type: 'member', id: member.id, label } });
        return { outcome: 'done', member, keys };
      }),
    invite: (workspaceId, memberId, link, mailed = null) =>
      write(workspaceId, async (statements) => {
        const member = await memberIn(statements, workspaceId, memberId);
        if (!member || member.joinedAt !== null) return null;
        await statements.execute('DELETE FROM links WHERE member_id = ?', [memberId]);
        const ofMember = links.encode({ ...link, userId: member.userId, memberId });
        await insertRows(statements, links.name, [links.byColumn(ofMember)]);
        if (mailed) await insertMailed(statements, mailed, { id: memberId, userId: member.userId });
        await writeAudit(statements, targetOf(member));
        return member;
      }),
    choose: (memberId, { away, notifications, ...ofUser }) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const { dialect, select, execute } = statements;
        const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
        const [row] = await select(`SELECT * FROM members WHERE id = ?${lock}`, [memberId]);
        if (!row) return;
        const { userId, ...now } = members.decode(row);
        const [user] = await select(`SELECT name, time_zone FROM users WHERE id = ?${lock}`, [userId]);
        const next = { away: away ?? now.away, notifications: { ...now.notifications, ...notifications } };
        await execute('UPDATE members SET away = ?, notifications = ? WHERE id = ?', [
          next.away,
          JSON.stringify(next.notifications),
          memberId,
        ]);
        for (const [column, value] of Object.entries(users.byColumn(users.encode(ofUser))))
          await execute(`UPDATE users SET ${column} = ? WHERE id = ?`, [value, userId]);
        const before = { ...now, name: user?.name, timeZone: user?.time_zone };
        await writeAudit(statements, {
          ...targetOf({ id: memberId, name: String(before.name) }),
          before,
          after: { ...next, ...ofUser },
        });
      }),
    ofUser: (userId) => activeMemberships(connection, userId),
    async touch(memberIds, hour) {
      if (memberIds.length === 0) return;
      await transact((transaction) =>
        statementsIn(connection, transaction).execute('UPDATE members SET last_seen_at = ? WHERE id IN (?)', [
          hour,
          memberIds,
        ]),
      );
    },
  };

  async function apply(
    statements: Statements,
    { id, workspaceId, ...now }: MemberRow,
    { role = now.role, disabled = now.disabled, agentIds }: MemberChange,
  ): Promise<void> {
    const { execute } = statements;
    await execute('UPDATE members SET role = ?, disabled = ? WHERE id = ?', [role, disabled, id]);
    if (agentIds === undefined) return;
    await execute('UPDATE members SET limited_to_agents = ? WHERE id = ?', [agentIds !== null, id]);
    await execute('DELETE FROM member_agents WHERE member_id = ?', [id]);
    if (agentIds) await insertAgents(statements, id, workspaceId, agentIds);
  }
}
