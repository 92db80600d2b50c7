import type { Mails, NewMail } from '../../../core/ports/store/mails.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { insertNew } from '../database/insert-new.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { upsert } from '../database/upsert.js';
import { insertRows } from '../database/write-rows.js';
import { mailOf, mails } from '../tables/mails.js';
import { links } from '../tables/people.js';

/** Maximum rows per deletion. */
const PIECE = 500;

/** The columns of a new e-mail. */
export const waiting = (mail: NewMail) =>
  ({ ...mail, status: 'waiting', tries: 0, unclear: 0, dueAtMs: mail.createdAt * 1000 }) as const;

export function createMails(connection: Connection, transact: Transact): Mails {
  const { read } = connection;
  const makeSender = upsert(
    connection.dialect,
    'mail_senders',
    ['id'],
    ['token', 'lease_until_ms'],
    (column) => column,
  );
  return {
    add: (mail, link) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        await insertRows(statements, mails.name, [mails.byColumn(mails.encode(waiting(mail)))]);
        if (link) await insertRows(statements, links.name, [links.byColumn(links.encode(link))]);
      }),
    async known(onceKeys) {
      if (onceKeys.length === 0) return new Set();
      const rows = await read(...withLists('SELECT once_key FROM mails WHERE once_key IN (?)', [onceKeys]));
      return new Set(rows.map((row) => row.once_key as string));
    },
    addOnce: (added) =>
      transact(async (transaction) => {
        await insertNew(statementsIn(connection, transaction), mails, added.map(waiting));
      }),
    lead: (token, { nowMs, untilMs }) =>
      transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        await execute(makeSender, [1, token, 0]);
        const { changed } = await execute(
          'UPDATE mail_senders SET token = ?, lease_until_ms = ? WHERE id = 1 AND (token = ? OR lease_until_ms <= ?)',
          [token, untilMs, token, nowMs],
        );
        if (changed === 0) return false;
        await execute(
          `UPDATE mails SET status = 'failed', error = 'MAIL_UNCLEAR', content = NULL, ended_at = ? WHERE status = 'sending' AND unclear > 0`,
          [Math.floor(nowMs / 1000)],
        );
        await execute(
          `UPDATE mails SET status = 'waiting', unclear = unclear + 1, error = 'MAIL_UNCLEAR' WHERE status = 'sending'`,
          [],
        );
        return true;
      }),
    release: (token) =>
      transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        await execute('UPDATE mail_senders SET lease_until_ms = 0 WHERE token = ?', [token]);
      }),
    async isDue(nowMs) {
      const [row] = await read(
        `SELECT id FROM mails WHERE (status = 'waiting' AND due_at_ms <= ?) OR status = 'sending' LIMIT 1`,
        [nowMs],
      );
      return row !== undefined;
    },
    begin: (nowMs) =>
      transact(async (transaction) => {
        const { select, execute } = statementsIn(connection, transaction);
        const [row] = await select(
          `SELECT * FROM mails WHERE status = 'waiting' AND due_at_ms <= ? ORDER BY urgency, due_at_ms LIMIT 1`,
          [nowMs],
        );
        if (!row) return null;
        const { changed } = await execute(
          `UPDATE mails SET status = 'sending', tries = tries + 1 WHERE id = ? AND status = 'waiting'`,
          [row.id],
        );
        const mail = mailOf(row);
        return changed === 0 ? null : { ...mail, tries: mail.tries + 1 };
      }),
    end: ({ id, tries }, error, now) =>
      transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        await execute(
          'UPDATE mails SET status = ?, error = ?, content = NULL, ended_at = ? WHERE id = ? AND tries = ?',
          [error === null ? 'sent' : 'failed', error, now, id, tries],
        );
      }),
    postpone: ({ id, tries }, error, { dueAtMs, isUnclear }) =>
      transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        await execute(
          `UPDATE mails SET status = 'waiting', error = ?, due_at_ms = ?, unclear = unclear + ? WHERE id = ? AND tries = ? AND status = 'sending'`,
          [error, dueAtMs, isUnclear ? 1 : 0, id, tries],
        );
      }),
    async counts() {
      const [row] = await read(
        `SELECT COUNT(*) AS n, MIN(due_at_ms) AS due FROM mails WHERE status IN ('waiting', 'sending')`,
        [],
      );
      return { waiting: Number(row?.n ?? 0), oldestDueAtMs: row?.due == null ? null : Number(row.due) };
    },
    forget: (before) =>
      transact(async (transaction) => {
        const { select, execute } = statementsIn(connection, transaction);
        const rows = await select(`SELECT id FROM mails WHERE ended_at < ? LIMIT ${PIECE}`, [before]);
        if (rows.length > 0) await execute('DELETE FROM mails WHERE id IN (?)', [rows.map(({ id }) => id)]);
        return rows.length === PIECE;
      }),
  };
}
