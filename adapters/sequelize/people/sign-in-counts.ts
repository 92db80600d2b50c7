import type { SignInCount, SignInCounts } from '../../../core/ports/store/people/sign-in-counts.js';
import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { upsert } from '../database/upsert.js';

/** Row that is written for failed sign-ins of unknown addresses. */
const UNKNOWN = 'unknown';

const HOUR_S = 3600;

const none: SignInCount = { failures: 0, waitUntilMs: 0, changedAtMs: 0 };

const countOf = (row: Row | undefined): SignInCount =>
  row
    ? {
        failures: Number(row.failures),
        waitUntilMs: Number(row.wait_until_ms),
        changedAtMs: Number(row.changed_at_ms),
      }
    : none;

export function createSignInCounts(connection: Connection, transact: Transact): SignInCounts {
  const write = (update: (column: string, added: string) => string) =>
    upsert(
      connection.dialect,
      'sign_in_counts',
      ['subject'],
      ['failures', 'wait_until_ms', 'changed_at_ms'],
      update,
    );
  const create = write((column) => column);
  const replace = write((_, added) => added);
  const countFailure = upsert(
    connection.dialect,
    'failed_sign_ins',
    ['hour', 'user_id', 'network'],
    ['failures'],
    (column) => `${column} + 1`,
  );
  return {
    async find(subjects) {
      const sql = 'SELECT * FROM sign_in_counts WHERE subject IN (?)';
      const rows = await connection.read(...withLists(sql, [[...subjects]]));
      return subjects.map((subject) => countOf(rows.find((row) => row.subject === subject)));
    },
    change: (subjects, next) =>
      transact.rawTransaction(async (transaction) => {
        const { dialect, select, execute } = statementsIn(connection, transaction);
        // In one order, so that two requests cannot wait for each other.
        const ordered = subjects.toSorted();
        for (const subject of ordered) await execute(create, [subject, 0, 0, 0]);
        const rows = await select(
          `SELECT * FROM sign_in_counts WHERE subject IN (?)${dialect === 'mysql' ? ' FOR UPDATE' : ''}`,
          [ordered],
        );
        const counts = subjects.map((subject) => countOf(rows.find((row) => row.subject === subject)));
        for (const [n, { failures, waitUntilMs, changedAtMs }] of next(counts).entries())
          await execute(replace, [subjects[n], failures, waitUntilMs, changedAtMs]);
      }),
    clear: (subjects, userId) =>
      transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        if (subjects.length > 0) await execute('DELETE FROM sign_in_counts WHERE subject IN (?)', [subjects]);
        if (userId !== null) await execute('UPDATE users SET failed_sign_ins = 0 WHERE id = ?', [userId]);
      }),
    noteFailure: (userId, network, nowMs) =>
      transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        if (userId === null) await execute(replace, [UNKNOWN, 0, 0, nowMs]);
        else await execute('UPDATE users SET failed_sign_ins = failed_sign_ins + 1 WHERE id = ?', [userId]);
        const nowS = Math.floor(nowMs / 1000);
        await execute(countFailure, [nowS - (nowS % HOUR_S), userId ?? '', network, 1]);
      }),
    failures: async (limit) =>
      (
        await connection.read(
          `SELECT * FROM failed_sign_ins ORDER BY hour DESC, user_id, network LIMIT ${limit}`,
          [],
        )
      ).map((row) => ({
        hour: Number(row.hour),
        userId: (row.user_id as string) || null,
        network: row.network as string,
        failures: Number(row.failures),
      })),
  };
}
