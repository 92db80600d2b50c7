import type { ChannelFlow, OutgoingRow, ThreadRow } from '../../../core/ports/store/channel-flow.js';
import type { ConnectionRow } from '../../../core/ports/store/channels.js';
import { updateRow } from '../conversations/row-statements.js';
import type { Connection } from '../database/connection.js';
import { seek } from '../database/seek.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { channelThreads, outgoing, outgoingOf, threadOf } from '../tables/channel-flow.js';
import { connectionRowOf } from '../tables/channels.js';
import { insertNew } from './insert-new.js';

type Outgoing = Omit<
  ChannelFlow,
  | 'agentsOf'
  | 'waiting'
  | 'oldestWaiting'
  | 'accept'
  | 'claim'
  | 'extend'
  | 'putOff'
  | 'end'
  | 'endComment'
  | 'endOrphans'
>;

/** Time between two messages of an account: 10 a second. */
const SEND_MS = 100;
/** 700 private replies an hour, after a burst of at most 40: the platform allows 750. */
const REPLY_MS = 3_600_000 / 700;
const REPLY_BURST = 40;
const SEND_BURST = 10;
const REST = { first: 60_000, longest: 3_600_000 };
/** Accounts per round. */
const ACCOUNTS = 20;

export function channelOutgoing(connection: Connection, transact: Transact): Outgoing {
  const { read, dialect } = connection;
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  let behind = '';

  const inTransaction = <T>(work: (statements: Statements) => Promise<T>, workspaceId?: string): Promise<T> =>
    transact.rawTransaction(async (transaction) => {
      const statements = statementsIn(connection, transaction);
      try {
        return await work(statements);
      } finally {
        statements.end();
      }
    }, workspaceId);

  async function dueAgents(nowMs: number): Promise<ConnectionRow[]> {
    const find = (than: string) =>
      read(
        `SELECT * FROM channel_connections c WHERE agent_id ${than} ? AND account_id IS NOT NULL AND rest_until_ms <= ?
            AND EXISTS (SELECT 1 FROM channel_messages m WHERE m.account_id = c.account_id AND m.status = 'waiting' AND m.due_at_ms <= ?
              AND m.agent_id = c.agent_id)
          ORDER BY agent_id LIMIT ${ACCOUNTS}`,
        [behind, nowMs, nowMs],
      );
    return [...(await find('>')), ...(await find('<='))].slice(0, ACCOUNTS).map(connectionRowOf);
  }

  /** Takes messages within the pace. The lock of the connection makes processes take turns. */
  const claimOf = (
    { agentId, workspaceId }: ConnectionRow,
    nowMs: number,
    { leaseUntilMs, limit }: { leaseUntilMs: number; limit: number },
  ) =>
    inTransaction(async (statements) => {
      const { select, execute } = statements;
      const [found] = await select(`SELECT * FROM channel_connections WHERE agent_id = ?${lock}`, [agentId]);
      const current = found ? connectionRowOf(found) : null;
      if (current?.accountId == null || current.restUntilMs > nowMs) return [];
      const rows = await select(
        `SELECT * FROM channel_messages m WHERE account_id = ? AND status = 'waiting' AND due_at_ms <= ? AND agent_id = ?
            AND NOT EXISTS (SELECT 1 FROM channel_messages b WHERE b.conversation_id = m.conversation_id AND b.id < m.id
              AND b.status IN ('waiting', 'sending'))
          ORDER BY due_at_ms, id LIMIT ${limit}`,
        [current.accountId, nowMs, agentId],
      );
      let sends = Math.max(current.sendsTatMs, nowMs - SEND_BURST * SEND_MS);
      let replies = Math.max(current.repliesTatMs, nowMs - REPLY_BURST * REPLY_MS);
      const taken: OutgoingRow[] = [];
      for (const row of rows.map(outgoingOf)) {
        if (sends > nowMs) break;
        if (row.commentId !== null) {
          if (replies > nowMs) continue;
          replies += REPLY_MS;
        }
        sends += SEND_MS;
        taken.push({
          ...row,
          status: 'sending',
          attempts: row.attempts + 1,
          dueAtMs: leaseUntilMs,
          beganAtMs: nowMs,
        });
      }
      if (taken.length === 0) return [];
      await execute(
        `UPDATE channel_messages SET status = 'sending', attempts = attempts + 1, due_at_ms = ?, began_at_ms = ? WHERE id IN (?)`,
        [leaseUntilMs, nowMs, taken.map(({ id }) => id)],
      );
      await execute(
        'UPDATE channel_connections SET sends_tat_ms = ?, replies_tat_ms = ? WHERE agent_id = ?',
        [Math.ceil(sends), Math.ceil(replies), agentId],
      );
      return taken.map((row) => ({ row, connection: current }));
    }, workspaceId);

  const condition = (page: { before: string | null }, status: string | null): string =>
    ['agent_id = ?', ...(page.before ? ['id < ?'] : []), ...(status ? ['status = ?'] : [])].join(' AND ');

  return {
    ensureThread: (thread: ThreadRow) =>
      inTransaction(async (statements) => {
        await insertNew(statements, channelThreads, [thread]);
        const [row] = await statements.select(
          'SELECT * FROM channel_threads WHERE agent_id = ? AND account_id = ? AND person_id = ?',
          [thread.agentId, thread.accountId, thread.personId],
        );
        return row ? threadOf(row) : thread;
      }),
    async claimOutgoing(nowMs, options) {
      const claimed: { row: OutgoingRow; connection: ConnectionRow }[] = [];
      for (const one of await dueAgents(nowMs)) {
        const room = options.limit - claimed.length;
        if (room <= 0) break;
        behind = one.agentId;
        claimed.push(...(await claimOf(one, nowMs, { ...options, limit: Math.min(room, SEND_BURST) })));
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
    settle: ({ id, attempts }, patch) =>
      inTransaction(async ({ execute }) => {
        const [sql, params] = updateRow(outgoing, id, outgoing.encode(patch));
        const { changed } = await execute(`${sql} AND status = 'sending' AND attempts = ?`, [
          ...params,
          attempts,
        ]);
        return changed === 1;
      }),
    settleSent: (id, { upstreamHash, personId, conversationId, now }) =>
      inTransaction(async ({ execute }) => {
        const { changed } = await execute(
          `UPDATE channel_messages SET status = 'sent', upstream_hash = ?, person_id = ?, sent_at = ?, ended_at = ?, error = NULL,
              conversation_id = COALESCE(conversation_id, ?)
            WHERE id = ? AND status IN ('waiting', 'sending', 'unconfirmed')`,
          [upstreamHash, personId, now, now, conversationId, id],
        );
        return changed === 1;
      }),
    cancelRest: ({ conversationId, messageId }, now) =>
      inTransaction(async ({ execute }) => {
        if (conversationId === null || messageId === null) return;
        await execute(
          `UPDATE channel_messages SET status = 'cancelled', ended_at = ?
            WHERE conversation_id = ? AND message_id = ? AND status = 'waiting'`,
          [now, conversationId, messageId],
        );
      }),
    rest: (agentId, nowMs, restMs) =>
      inTransaction(async ({ select, execute }) => {
        const [found] = await select(`SELECT * FROM channel_connections WHERE agent_id = ?${lock}`, [
          agentId,
        ]);
        if (!found) return nowMs + REST.first;
        const current = connectionRowOf(found);
        // Several messages that were under way together are one refusal.
        if (current.restUntilMs > nowMs) return current.restUntilMs;
        const length = restMs ?? Math.min(REST.longest, Math.max(REST.first, current.restMs * 2));
        await execute('UPDATE channel_connections SET rest_until_ms = ?, rest_ms = ? WHERE agent_id = ?', [
          nowMs + length,
          length,
          agentId,
        ]);
        return nowMs + length;
      }),
    endRest: (agentId) =>
      inTransaction(async ({ execute }) => {
        await execute('UPDATE channel_connections SET rest_ms = 0 WHERE agent_id = ? AND rest_ms <> 0', [
          agentId,
        ]);
      }),
    async outgoing(agentId, id) {
      const [row] = await read('SELECT * FROM channel_messages WHERE id = ? AND agent_id = ?', [id, agentId]);
      return row ? outgoingOf(row) : null;
    },
    async outgoingOnce(agentId, onceKey) {
      const [row] = await read('SELECT * FROM channel_messages WHERE agent_id = ? AND once_key = ?', [
        agentId,
        onceKey,
      ]);
      return row ? outgoingOf(row) : null;
    },
    async knowsUpstream(agentId, upstreamHash) {
      const rows = await read('SELECT agent_id FROM channel_messages WHERE upstream_hash = ?', [
        upstreamHash,
      ]);
      return rows.some((row) => row.agent_id === agentId);
    },
    async isSendingTo(agentId, personId) {
      const rows = await read(
        `SELECT m.id FROM channel_messages m LEFT JOIN channel_threads t ON t.conversation_id = m.conversation_id
          WHERE m.agent_id = ? AND m.status = 'sending' AND (m.person_id = ? OR m.comment_id IS NOT NULL OR t.person_id = ?) LIMIT 1`,
        [agentId, personId, personId],
      );
      return rows.length > 0;
    },
    async outgoingPage(agentId, page, status) {
      const index = status ? 'channel_messages_listed' : 'channel_messages_list';
      const rows = await read(
        `SELECT * FROM channel_messages${seek(connection, index)} WHERE ${condition(page, status)}
          ORDER BY id DESC LIMIT ${page.limit + 1}`,
        [agentId, ...(page.before ? [page.before] : []), ...(status ? [status] : [])],
      );
      return rows.map(outgoingOf);
    },
    async countOutgoing(agentId, status) {
      const [row] = await read(
        `SELECT COUNT(*) AS n FROM channel_messages WHERE ${condition({ before: null }, status)}`,
        status ? [agentId, status] : [agentId],
      );
      return Number(row?.n);
    },
    async forget(before, limit) {
      const old = async (table: string, endedBefore: number) => {
        const rows = await read(
          `SELECT id FROM ${table} WHERE ended_at < ? ORDER BY ended_at LIMIT ${limit}`,
          [endedBefore],
        );
        if (rows.length > 0)
          await inTransaction(({ execute }) =>
            execute(`DELETE FROM ${table} WHERE id IN (?)`, [rows.map((row) => row.id)]),
          );
        return rows.length;
      };
      return (await old('channel_events', before.events)) + (await old('channel_messages', before.messages));
    },
  };
}
