import { LRUCache } from 'lru-cache';
import type { ConnectionRow } from '../../../core/ports/store/channels/channels.js';
import type { Connection } from '../database/connection.js';
import { filled } from '../database/in-lists.js';
import { seek } from '../database/seek.js';
import { connectionRowOf } from '../tables/channels.js';

export interface DueAccounts {
  /** Returns the connections of up to 20 accounts with due rows, the least recently served first. */
  find(nowMs: number): Promise<ConnectionRow[]>;
  /** Records that an account has just been served. */
  served(connection: ConnectionRow): void;
}

/** Accounts per round. */
const ACCOUNTS = 20;
/** Number of accounts whose last turn is kept in memory. */
const REMEMBERED = 10_000;

/**
 * Finds accounts with due rows in a queue, round-robin. The cost depends on the number of due rows, not on the number
 * of connections.
 */
export function createDueAccounts(
  connection: Connection,
  table: 'channel_events' | 'channel_messages',
  statuses: readonly string[],
): DueAccounts {
  const { read } = connection;
  const turns = new LRUCache<string, number>({ max: REMEMBERED });
  const turnOf = (accountId: string): number => turns.get(accountId) ?? 0;
  let turn = 0;
  /** The last account of the previous round. */
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
      const wrapped = next.length < ACCOUNTS && last !== '' ? await accountIds('<=', nowMs) : [];
      const ids = [...next, ...wrapped].slice(0, ACCOUNTS);
      if (ids.length === 0) return [];
      last = ids.at(-1) as string;
      const keys = filled(ids);
      const rows = await read(
        `SELECT * FROM channel_connections WHERE account_id IN (${keys.map(() => '?').join(', ')})`,
        keys,
      );
      const connections = rows.map(connectionRowOf);
      return ids
        .sort((a, b) => turnOf(a) - turnOf(b))
        .flatMap((id) => connections.find(({ accountId }) => accountId === id) ?? []);
    },
    served({ accountId }) {
      turn += 1;
      if (accountId !== null) turns.set(accountId, turn);
    },
  };
}
