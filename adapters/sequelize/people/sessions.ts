import type { NewSession, Sessions } from '../../../core/ports/store/people/sessions.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { statementsIn } from '../database/statements.js';
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

  return {
    add: (session: NewSession, device, { password, totp, replaces }) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        // The lock lets no change of the factors pass, which ends the sessions that it finds.
        const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
        const [user] = await statements.select(`SELECT password, totp FROM users WHERE id = ?${lock}`, [
          session.userId,
        ]);
        if (!user || user.totp !== totp || (password !== null && user.password !== password)) return false;
        if (replaces !== null) {
          const ended = await statements.execute('DELETE FROM sessions WHERE id = ?', [replaces]);
          if (ended.changed === 0) return false;
        }
        await insertRows(statements, sessions.name, [sessions.byColumn(sessions.encode(session))]);
        if (device)
          await insertRows(statements, 'devices', [
            { hash: device.hash, user_id: device.userId, ends_at: device.endsAt },
          ]);
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
    end: async (userId, sessionId) =>
      (await execute('DELETE FROM sessions WHERE id = ? AND user_id = ?', [sessionId, userId])) > 0,
    async endOthers(userId, keepSessionId) {
      await execute('DELETE FROM sessions WHERE user_id = ? AND id <> ?', [userId, keepSessionId]);
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
