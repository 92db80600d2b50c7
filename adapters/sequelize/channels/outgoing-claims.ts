import type { ChannelFlow, OutgoingRow } from '../../../core/ports/store/channels/channel-flow.js';
import type { ConnectionRow } from '../../../core/ports/store/channels/channels.js';
import type { Connection } from '../database/connection.js';
import type { InTransaction } from '../database/in-transaction.js';
import { outgoingOf } from '../tables/channel-flow.js';
import { connectionRowOf } from '../tables/channels.js';
import { createDueAccounts } from './due-accounts.js';

/** Interval between two messages of an account, in milliseconds: 10 messages per second. */
const SEND_MS = 100;
/**
 * Interval between two private replies, in milliseconds: 700 per hour, after a burst of at most 40. The platform allows
 * 750 per hour.
 */
const REPLY_MS = 3_600_000 / 700;
const REPLY_BURST = 40;
const SEND_BURST = 10;

/**
 * Ignores a theoretical arrival time (TAT) that no claim can have stored: the clock was ahead. Allows a skew of 1 s.
 */
const storedTat = (tatMs: number, everyMs: number, nowMs: number): number =>
  tatMs > nowMs + everyMs + 1000 ? 0 : tatMs;

/** Claims due messages within the rate limits of their accounts. */
export function outgoingClaims(
  connection: Connection,
  inTransaction: InTransaction,
): Pick<ChannelFlow, 'claimOutgoing' | 'claimUnclear'> {
  const { read, dialect } = connection;
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  const accounts = createDueAccounts(connection, 'channel_messages', ['waiting']);

  /** The lock on the connection serialises processes. */
  const claimOf = (
    { agentId, workspaceId }: ConnectionRow,
    nowMs: number,
    { leaseUntilMs, limit }: { leaseUntilMs: number; limit: number },
  ) =>
    inTransaction(async ({ select, execute }) => {
      const [found] = await select(`SELECT * FROM channel_connections WHERE agent_id = ?${lock}`, [agentId]);
      const current = found ? connectionRowOf(found) : null;
      if (current?.accountId == null || current.restUntilMs > nowMs) return [];
      let sends = Math.max(storedTat(current.sendsTatMs, SEND_MS, nowMs), nowMs - SEND_BURST * SEND_MS);
      let replies = Math.max(
        storedTat(current.repliesTatMs, REPLY_MS, nowMs),
        nowMs - REPLY_BURST * REPLY_MS,
      );
      const rows = await select(
        `SELECT * FROM channel_messages m WHERE account_id = ? AND status = 'waiting' AND due_at_ms <= ? AND agent_id = ?
            AND NOT EXISTS (SELECT 1 FROM channel_messages b WHERE b.conversation_id = m.conversation_id AND b.id < m.id
              AND b.status IN ('waiting', 'sending'))${replies > nowMs ? ' AND comment_id IS NULL' : ''}
          ORDER BY due_at_ms, id LIMIT ${limit}`,
        [current.accountId, nowMs, agentId],
      );
      const wanted: OutgoingRow[] = [];
      for (const row of rows.map(outgoingOf)) {
        if (sends > nowMs) break;
        if (row.commentId !== null) {
          if (replies > nowMs) continue;
          replies += REPLY_MS;
        }
        sends += SEND_MS;
        wanted.push(row);
      }
      if (wanted.length === 0) return [];
      const ids = wanted.map(({ id }) => id);
      await execute(
        `UPDATE channel_messages SET status = 'sending', attempts = attempts + 1, due_at_ms = ?, began_at_ms = ?
          WHERE id IN (?) AND status = 'waiting'`,
        [leaseUntilMs, nowMs, ids],
      );
      await execute(
        'UPDATE channel_connections SET sends_tat_ms = ?, replies_tat_ms = ? WHERE agent_id = ?',
        [Math.ceil(sends), Math.ceil(replies), agentId],
      );
      // Skip messages that were cancelled in the meantime.
      const taken = await select(
        `SELECT * FROM channel_messages WHERE id IN (?) AND status = 'sending' ORDER BY due_at_ms, id`,
        [ids],
      );
      return taken.map((row) => ({ row: outgoingOf(row), connection: current }));
    }, workspaceId);

  return {
    async claimOutgoing(nowMs, options) {
      const claimed: Awaited<ReturnType<ChannelFlow['claimOutgoing']>> = [];
      for (const one of await accounts.find(nowMs)) {
        const room = options.limit - claimed.length;
        if (room <= 0) break;
        if (one.restUntilMs > nowMs) continue;
        accounts.served(one);
        try {
          claimed.push(...(await claimOf(one, nowMs, { ...options, limit: Math.min(room, SEND_BURST) })));
        } catch (error) {
          // Return the claims so far, because their messages must be sent.
          if (claimed.length === 0) throw error;
          break;
        }
      }
      return claimed;
    },
    async claimUnclear(nowMs, { leaseUntilMs, limit }) {
      const rows = await read(
        `SELECT * FROM channel_messages WHERE status = 'sending' AND due_at_ms <= ? ORDER BY due_at_ms LIMIT ${limit}`,
        [nowMs],
      );
      const claimed = [];
      for (const row of rows.map(outgoingOf)) {
        const isOurs = await inTransaction(async ({ execute }) => {
          const { changed } = await execute(
            `UPDATE channel_messages SET due_at_ms = ? WHERE id = ? AND status = 'sending' AND attempts = ? AND due_at_ms = ?`,
            [leaseUntilMs, row.id, row.attempts, row.dueAtMs],
          );
          return changed === 1;
        });
        if (!isOurs) continue;
        const [found] = await read('SELECT * FROM channel_connections WHERE agent_id = ?', [row.agentId]);
        claimed.push({ row, connection: found ? connectionRowOf(found) : null });
      }
      return claimed;
    },
  };
}
