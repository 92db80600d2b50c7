import type { NewSession, Sessions } from '../../../core/ports/store/people/sessions.js';
import { writeUserAudit } from '../audit/insert-audit.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { insertRows } from '../database/write-rows.js';
import { sessions, users } from '../tables/people.js';
import { activeMemberships } from './memberships.js';

/** Maximum rows of a table that one sweep deletes. */
const SWEPT = 200;
/** How long failed sign-ins are listed, in seconds. */
const FAILURES_KEPT_S = 30 * 86_400;

export function createSessions(connection: Connection, transact: Transact): Sessions {
  const { read, dialect } = connection;

  /** Deletes some rows by an indexed time. */
  const oldest = (table: string, column: string): string =>
    dialect === 'mysql'
      ? `DELETE FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ${SWEPT}`
      : `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ${SWEPT})`;

  const execute = (sql: string, params: unknown[]): Promise<number> =>
    transact(
      async (transaction) => (await statementsIn(connection, transaction).execute(sql, params)).changed,
    );

  const inTransaction = <T>(work: (statements: Statements) => Promise<T>): Promise<T> =>
    transact((transaction) => work(statementsIn(connection, transaction)));

  /** Returns sessions, and locks them until the transaction ends. */
  async function lockSessions({ select }: Statements, where: string, params: unknown[]) {
    const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
    const rows = await select(`SELECT * FROM sessions WHERE ${where}${lock}`, params);
    return rows.map((row) => sessions.decode(row));
  }

  /** Ends sessions of a user, and writes the sign-outs of their workspaces. Returns their number. */
  const signOut = (userId: string, where: string, sessionId: string): Promise<number> =>
    inTransaction(async (statements) => {
      const found = await lockSessions(statements, `user_id = ? AND ${where}`, [userId, sessionId]);
      for (const { id, workspaceIds } of found) {
        await statements.execute('DELETE FROM sessions WHERE id = ?', [id]);
        await writeUserAudit(statements, userId, workspaceIds ?? []);
      }
      return found.length;
    });

  return {
    add: (session: NewSession, device, { password, totp, replaces }) =>
      inTransaction(async (statements) => {
        // The lock lets no change of the factors pass, which ends the sessions that it finds.
        const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
        const [user] = await statements.select(`SELECT password, totp FROM users WHERE id = ?${lock}`, [
          session.userId,
        ]);
        if (!user || user.totp !== totp || (password !== null && user.password !== password)) return false;
        let { trusted } = session;
        let workspaceIds: string[] | null = null;
        if (replaces !== null) {
          const [replaced] = await lockSessions(statements, 'id = ?', [replaces]);
          if (!replaced) return false;
          workspaceIds = replaced.workspaceIds;
          trusted ||= replaced.trusted;
          await statements.execute('DELETE FROM sessions WHERE id = ?', [replaces]);
        }
        const row = sessions.encode({ ...session, trusted, workspaceIds });
        await insertRows(statements, sessions.name, [sessions.byColumn(row)]);
        if (device)
          await insertRows(statements, 'devices', [
            { hash: device.hash, user_id: device.userId, ends_at: device.endsAt },
          ]);
        return true;
      }),
    enter: ({ id, userId }, workspaceId) =>
      inTransaction(async (statements) => {
        const [session] = await lockSessions(statements, 'id = ?', [id]);
        if (!session) return false;
        const entered = session.workspaceIds ?? [];
        if (entered.includes(workspaceId)) return true;
        const { workspace_ids } = sessions.byColumn(
          sessions.encode({ workspaceIds: [...entered, workspaceId] }),
        );
        await statements.execute('UPDATE sessions SET workspace_ids = ? WHERE id = ?', [workspace_ids, id]);
        await writeUserAudit(statements, userId, [workspaceId]);
        return true;
      }),
    async find(hash) {
      const [row] = await read(
        `SELECT ${sessions.list({ of: 'sessions', as: 'session_' })}, ${users.list({ of: 'users', as: 'user_' })}
          FROM sessions JOIN users ON users.id = sessions.user_id
          WHERE sessions.hash = ? AND users.disabled = 0`,
        [hash],
      );
      if (!row) return null;
      const { emailHash: _, ...user } = users.decode(row, 'user_');
      return {
        session: sessions.decode(row, 'session_'),
        user,
        memberships: await activeMemberships(connection, user.id),
      };
    },
    list: async (userId, now, since) =>
      (
        await read(
          'SELECT * FROM sessions WHERE user_id = ? AND ends_at > ? AND last_seen_at > ? ORDER BY id DESC',
          [userId, now, since],
        )
      )
        .map((row) => sessions.decode(row))
        .filter(({ stage }) => stage === 'whole'),
    end: async (userId, sessionId) => (await signOut(userId, 'id = ?', sessionId)) > 0,
    async endOthers(userId, keepSessionId) {
      await signOut(userId, 'id <> ?', keepSessionId);
    },
    async touch(sessionIds, now) {
      if (sessionIds.length === 0) return;
      await execute('UPDATE sessions SET last_seen_at = ? WHERE id IN (?)', [now, sessionIds]);
    },
    async isDevice(hash, userId, now) {
      const rows = await read(
        ...withLists('SELECT hash FROM devices WHERE hash = ? AND user_id = ? AND ends_at > ?', [
          hash,
          userId,
          now,
        ]),
      );
      return rows.length > 0;
    },
    async forget(now, idleSince) {
      const dayAgoMs = (now - 86_400) * 1000;
      const counts = [
        await execute(oldest('sessions', 'ends_at'), [now]),
        await execute(oldest('sessions', 'last_seen_at'), [idleSince]),
        await execute(oldest('devices', 'ends_at'), [now]),
        await execute(oldest('links', 'ends_at'), [now]),
        await execute(oldest('failed_sign_ins', 'hour'), [now - FAILURES_KEPT_S]),
        await execute(oldest('sign_in_counts', 'changed_at_ms'), [dayAgoMs]),
      ];
      return counts.includes(SWEPT);
    },
  };
}
