import type { ConnectionRow } from '../../../core/ports/store/channels.js';
import type { Connection } from '../database/connection.js';
import { filled } from '../database/in-lists.js';
import { seek } from '../database/seek.js';
import { connectionRowOf } from '../tables/channels.js';

export interface DueAccounts {
  /** Returns the connections of accounts with due rows, first the one behind the account that was visited last. */
  find(nowMs: number): Promise<ConnectionRow[]>;
  /** Records that a round has had this account. */
  visited(connection: ConnectionRow): void;
}

/** Accounts per round. */
const ACCOUNTS = 20;

/** Finds accounts with due rows in a queue, round-robin. The time depends on the rows, not on the connections. */
export function createDueAccounts(
  connection: Connection,
  table: 'channel_events' | 'channel_messages',
  statuses: readonly string[],
): DueAccounts {
  const { read } = connection;
  let last = '';

  async function accountIds(comparison: '>' | '<=', nowMs: number): Promise<string[]> {
    const one = `SELECT * FROM (SELECT DISTINCT account_id FROM ${table}${seek(connection, `${table}_queue`)}
        WHERE status = ? AND account_id ${comparison} ? AND due_at_ms <= ? ORDER BY account_id LIMIT ${ACCOUNTS}) AS due`;
    const rows = await read(
      statuses.map(() => one).join(' UNION '),
      statuses.flatMap((status) => [status, last, nowMs]),
    );
    return rows
      .map((row) => row.account_id as string)
      .sort()
      .slice(0, ACCOUNTS);
  }

  return {
    async find(nowMs) {
      const next = await accountIds('>', nowMs);
      const ids =
        next.length < ACCOUNTS && last !== '' ? [...next, ...(await accountIds('<=', nowMs))] : next;
      if (ids.length === 0) return [];
      const keys = filled(ids.slice(0, ACCOUNTS));
      const rows = await read(
        `SELECT * FROM channel_connections WHERE account_id IN (${keys.map(() => '?').join(', ')})`,
        keys,
      );
      const connections = rows.map(connectionRowOf);
      const found = ids.flatMap((id) => connections.find(({ accountId }) => accountId === id) ?? []);
      // Accounts without a connection must not fill every round until their rows are ended.
      if (found.length === 0) last = ids.at(-1) as string;
      return found.slice(0, ACCOUNTS);
    },
    visited({ accountId }) {
      last = accountId ?? last;
    },
  };
}
