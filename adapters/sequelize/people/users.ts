import type { LinkRow } from '../../../core/ports/store/people/links.js';
import type {
  LinkOutcome,
  LinkUse,
  PasswordChange,
  UserRow,
  Users,
} from '../../../core/ports/store/people/users.js';
import { writeAudit, writeUserAudit } from '../audit/insert-audit.js';
import type { Connection, Row } from '../database/connection.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { insertRows } from '../database/write-rows.js';
import { lockWorkspace } from '../rows/lock-workspace.js';
import { links, members, users } from '../tables/people.js';
import { endAccess, prove } from './access.js';
import { emailHash } from './email-hash.js';
import { ACTIVE_OWNER, deleteMembership, deleteUser, hasOtherOwner, userFor } from './members.js';

const userOf = (row: Row | undefined): UserRow | null => {
  if (!row) return null;
  const { emailHash: _, ...user } = users.decode(row);
  return user;
};

const unknown: LinkOutcome = { outcome: 'unknown' };

export function createUsers(connection: Connection, transact: Transact): Users {
  const { read } = connection;

  const inTransaction = <T>(work: (statements: Statements) => Promise<T>): Promise<T> =>
    transact((transaction) => work(statementsIn(connection, transaction)));

  /** Locks the rows of a condition until the transaction ends. */
  const locked = ({ dialect }: Statements): string => (dialect === 'mysql' ? ' FOR UPDATE' : '');

  async function lockUser(statements: Statements, userId: string | null): Promise<UserRow | null> {
    const sql = `SELECT * FROM users WHERE id = ?${locked(statements)}`;
    return userOf((await statements.select(sql, [userId]))[0]);
  }

  /** Locks a link that can still be used, so that it is used once. */
  async function lockLink(statements: Statements, { hash, purpose, now }: LinkUse): Promise<LinkRow | null> {
    const sql = `SELECT * FROM links WHERE hash = ? AND purpose = ? AND ends_at > ?${locked(statements)}`;
    const [row] = await statements.select(sql, [hash, purpose, now]);
    return row ? links.decode(row) : null;
  }

  /**
   * Whether a link may set the first password. An active member without a password gets one by a reset only:
   * otherwise, a workspace could take the person over by inviting the address, too.
   */
  async function isNew(statements: Statements, { id, password }: UserRow): Promise<boolean> {
    const sql = `SELECT id FROM members WHERE user_id = ? AND joined_at IS NOT NULL LIMIT 1${locked(statements)}`;
    return password === null && (await statements.select(sql, [id])).length === 0;
  }

  async function writePassword({ execute }: Statements, userId: string, password: string): Promise<void> {
    await execute('UPDATE users SET password = ? WHERE id = ?', [password, userId]);
  }

  const replacePassword = async (
    { execute }: Statements,
    userId: string,
    { from, to }: PasswordChange,
  ): Promise<boolean> =>
    (await execute('UPDATE users SET password = ? WHERE id = ? AND password = ?', [to, userId, from]))
      .changed > 0;

  return {
    find: async (userId) => userOf((await read('SELECT * FROM users WHERE id = ?', [userId]))[0]),
    findByEmail: async (email) =>
      userOf((await read('SELECT * FROM users WHERE email_hash = ?', [emailHash(email)]))[0]),
    list: async () => (await read('SELECT * FROM users ORDER BY id', [])).flatMap((row) => userOf(row) ?? []),
    addLink: (link) =>
      inTransaction(async (statements) => {
        const { userId, workspaceId } = link;
        await insertRows(statements, links.name, [links.byColumn(links.encode(link))]);
        if (userId !== null) await writeUserAudit(statements, userId);
        else await writeAudit(statements, { target: { type: 'workspace', id: workspaceId, label: null } });
      }),
    async link(hash, now) {
      const [row] = await read('SELECT * FROM links WHERE hash = ? AND ends_at > ?', [hash, now]);
      return row ? links.decode(row) : null;
    },
    setUp: (use, { email, name, password }, { userId: newUserId, memberId }, signedIn) =>
      inTransaction(async (statements) => {
        const { select, execute } = statements;
        const link = await lockLink(statements, use);
        if (!link?.workspaceId) return unknown;
        const { workspaceId } = link;
        await lockWorkspace(statements, workspaceId);
        if (await hasOtherOwner(statements, workspaceId)) return unknown;
        const createdAt = use.now;
        const userId = await userFor(statements, { userId: newUserId, email, name, createdAt });
        const user = await lockUser(statements, userId);
        if (!user || user.disabled) return unknown;
        const takesPassword = await isNew(statements, user);
        if (!takesPassword && user.id !== signedIn) return { outcome: 'signIn', userId };
        if (takesPassword) {
          await writePassword(statements, userId, password);
          await execute('UPDATE users SET name = ? WHERE id = ?', [name, userId]);
        }
        const [known] = await select('SELECT id FROM members WHERE user_id = ? AND workspace_id = ?', [
          userId,
          workspaceId,
        ]);
        const owner = { role: 'owner', limitedToAgents: false, joinedAt: use.now, disabled: false } as const;
        if (known)
          await execute(
            "UPDATE members SET role = 'owner', limited_to_agents = 0, joined_at = ?, disabled = 0 WHERE id = ?",
            [use.now, known.id],
          );
        else {
          const others = { away: false, notifications: {}, lastSeenAt: null, createdAt };
          const row = members.encode({ id: memberId, workspaceId, userId, ...owner, ...others });
          await insertRows(statements, members.name, [members.byColumn(row)]);
        }
        await execute("DELETE FROM links WHERE workspace_id = ? AND purpose = 'setup'", [workspaceId]);
        await writeUserAudit(statements, userId, [workspaceId]);
        return { outcome: 'used', userId, workspaceId };
      }),
    accept: (use, person, signedIn) =>
      inTransaction(async (statements) => {
        const { select, execute } = statements;
        const link = await lockLink(statements, use);
        const [row] = await select('SELECT * FROM members WHERE id = ?', [link?.memberId ?? null]);
        if (!link || !row) return unknown;
        const member = members.decode(row);
        if (member.disabled) return unknown;
        const user = await lockUser(statements, member.userId);
        if (!user || user.disabled) return unknown;
        const isOwn = user.id === signedIn;
        const isFirstProof = link.isMailed && user.provenAt === null;
        const takesPassword = (await isNew(statements, user)) || (isFirstProof && !isOwn);
        if (!takesPassword && !isOwn) return { outcome: 'signIn', userId: user.id };
        if (takesPassword) {
          if (person === null) return unknown;
          if (isFirstProof) await prove(statements, user, use.now);
          await writePassword(statements, user.id, person.password);
          await execute('UPDATE users SET name = ? WHERE id = ?', [person.name, user.id]);
        } else if (isFirstProof)
          await execute('UPDATE users SET proven_at = ? WHERE id = ?', [use.now, user.id]);
        await execute('UPDATE members SET joined_at = ? WHERE id = ?', [use.now, member.id]);
        await execute('DELETE FROM links WHERE member_id = ?', [member.id]);
        await writeUserAudit(statements, user.id, [member.workspaceId]);
        return { outcome: 'used', userId: user.id, workspaceId: member.workspaceId };
      }),
    prove: (use, userId) =>
      inTransaction(async (statements) => {
        const link = await lockLink(statements, use);
        if (link?.userId !== userId) return false;
        const { execute } = statements;
        await execute('DELETE FROM links WHERE user_id = ? AND purpose = ?', [userId, use.purpose]);
        await execute('UPDATE users SET proven_at = ? WHERE id = ? AND proven_at IS NULL', [use.now, userId]);
        return true;
      }),
    reset: (use, password) =>
      inTransaction(async (statements) => {
        const link = await lockLink(statements, use);
        const user = await lockUser(statements, link?.userId ?? null);
        if (!link || !user || user.disabled) return unknown;
        if (link.isMailed) await prove(statements, user, use.now);
        await writePassword(statements, user.id, password);
        await endAccess(statements, user.id, null);
        await writeUserAudit(statements, user.id);
        return { outcome: 'used', userId: user.id, workspaceId: null };
      }),
    setPassword: (userId, change, keepSessionId) =>
      inTransaction(async (statements) => {
        if (!(await replacePassword(statements, userId, change))) return false;
        await endAccess(statements, userId, keepSessionId);
        await writeUserAudit(statements, userId);
        return true;
      }),
    async rehash(userId, change) {
      await inTransaction((statements) => replacePassword(statements, userId, change));
    },
    disable: (userId) =>
      inTransaction(async (statements) => {
        const owned = await lastOwned(statements, userId);
        if (owned !== null) return { lastOwnerOf: owned };
        const disabling = 'UPDATE users SET disabled = 1 WHERE id = ? AND disabled = 0';
        const { changed } = await statements.execute(disabling, [userId]);
        await endAccess(statements, userId, null);
        if (changed > 0) await writeUserAudit(statements, userId);
        return null;
      }),
    remove: (userId, label, personHashOf) =>
      inTransaction(async (statements) => {
        if ((await lastOwned(statements, userId)) !== null) return false;
        const rows = await statements.select('SELECT * FROM members WHERE user_id = ?', [userId]);
        for (const row of rows) {
          const member = members.decode(row);
          const personHash = personHashOf(member.workspaceId);
          await deleteMembership(statements, member, { label, personHash });
          const target = { type: 'member', id: member.id, label };
          await writeAudit(statements, { target }, member.workspaceId);
        }
        if (rows.length === 0) await deleteUser(statements, userId);
        return true;
      }),
  };

  /** Returns a workspace that would have no active owner without the user. Locks the user's workspaces. */
  async function lastOwned(statements: Statements, userId: string): Promise<string | null> {
    const sql = 'SELECT workspace_id FROM members WHERE user_id = ? ORDER BY workspace_id';
    const rows = await read(sql, [userId]);
    // The transaction takes all locks before its first plain read, because that read fixes the snapshot of later ones.
    for (const row of rows) await lockWorkspace(statements, row.workspace_id as string);
    const owned = await statements.select(
      `SELECT members.id, members.workspace_id FROM members JOIN users ON users.id = members.user_id
        WHERE members.user_id = ? AND ${ACTIVE_OWNER} ORDER BY members.workspace_id`,
      [userId],
    );
    for (const { id, workspace_id } of owned)
      if (!(await hasOtherOwner(statements, workspace_id as string, [id as string])))
        return workspace_id as string;
    return null;
  }
}
