import type { ChannelFlow, ThreadRow } from '../../../core/ports/store/channels/channel-flow.js';
import { AgentGone } from '../../../core/ports/store/store-errors.js';
import type { Connection } from '../database/connection.js';
import { inTransactionOf } from '../database/in-transaction.js';
import { insertNew } from '../database/insert-new.js';
import { seek } from '../database/seek.js';
import type { Transact } from '../database/transact.js';
import { channelThreads, outgoingOf, threadOf } from '../tables/channel-flow.js';
import { connectionRowOf } from '../tables/channels.js';
import type { Events } from './events.js';
import { outgoingClaims } from './outgoing-claims.js';
import { forgetUnsent } from './recipients.js';
import { settleSent } from './settle-sent.js';

type Outgoing = Omit<ChannelFlow, keyof Events>;

const REST = { first: 60_000, longest: 3_600_000 };

export function channelOutgoing(connection: Connection, transact: Transact): Outgoing {
  const { read, dialect } = connection;
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  const inTransaction = inTransactionOf(connection, transact);

  const condition = (page: { before: string | null }, status: string | null): string =>
    ['agent_id = ?', ...(page.before ? ['id < ?'] : []), status ? 'status = ?' : "status <> 'deleted'"].join(
      ' AND ',
    );

  return {
    ensureThread: (thread: ThreadRow) =>
      inTransaction(async (statements) => {
        const [agent] = await statements.select('SELECT id FROM agents WHERE id = ?', [thread.agentId]);
        if (!agent) throw new AgentGone(thread.agentId);
        await insertNew(statements, channelThreads, [thread]);
        const [row] = await statements.select(
          'SELECT * FROM channel_threads WHERE agent_id = ? AND account_id = ? AND person_id = ?',
          [thread.agentId, thread.accountId, thread.personId],
        );
        return row ? threadOf(row) : thread;
      }),
    ...outgoingClaims(connection, inTransaction),
    postpone: ({ id, attempts }, { dueAtMs, error }) =>
      inTransaction(async ({ execute }) => {
        await execute(
          `UPDATE channel_messages SET due_at_ms = ?, error = ? WHERE id = ? AND status = 'sending' AND attempts = ?`,
          [dueAtMs, error && JSON.stringify(error), id, attempts],
        );
      }),
    endOutgoing: ({ id, attempts, conversationId, messageId }, { status, error, now }) =>
      inTransaction(async ({ execute }) => {
        const { changed } = await execute(
          `UPDATE channel_messages SET status = ?, error = ?, ended_at = ? WHERE id = ? AND status = 'sending' AND attempts = ?`,
          [status, error && JSON.stringify(error), now, id, attempts],
        );
        if (changed === 0) return false;
        if (status !== 'unconfirmed' && conversationId !== null && messageId !== null)
          await execute(
            `UPDATE channel_messages SET status = 'cancelled', ended_at = ?
              WHERE conversation_id = ? AND message_id = ? AND status = 'waiting'`,
            [now, conversationId, messageId],
          );
        return true;
      }),
    again: ({ id, attempts }, { dueAtMs, error, now }) =>
      inTransaction(async ({ select, execute }) => {
        const { changed } = await execute(
          `UPDATE channel_messages SET status = CASE WHEN is_cancelled THEN 'cancelled' ELSE 'waiting' END,
              ended_at = CASE WHEN is_cancelled THEN ? ELSE NULL END, due_at_ms = ?, error = ?
            WHERE id = ? AND status = 'sending' AND attempts = ?`,
          [now, dueAtMs, error && JSON.stringify(error), id, attempts],
        );
        if (changed === 0) return null;
        const [row] = await select('SELECT * FROM channel_messages WHERE id = ?', [id]);
        return row ? outgoingOf(row).status : null;
      }),
    settleSent: (row, sent) => inTransaction((statements) => settleSent(statements, row, sent)),
    rest: (agentId, nowMs, restMs) =>
      inTransaction(async ({ select, execute }) => {
        const [found] = await select(`SELECT * FROM channel_connections WHERE agent_id = ?${lock}`, [
          agentId,
        ]);
        if (!found) return nowMs + REST.first;
        const current = connectionRowOf(found);
        // Refusals of messages that were sent at the same time count once. A block extends a shorter rest.
        if (current.restUntilMs > nowMs && current.restUntilMs >= nowMs + (restMs ?? 0))
          return current.restUntilMs;
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
    async deliveryOf(conversationId, messageId) {
      const [row] = await read(
        'SELECT id FROM channel_messages WHERE conversation_id = ? AND message_id = ? ORDER BY id LIMIT 1',
        [conversationId, messageId],
      );
      return row ? (row.id as string) : null;
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
    async isSendingTo(agentId, { accountId, personId }) {
      const rows = await read(
        `SELECT m.id FROM channel_messages m LEFT JOIN channel_threads t ON t.conversation_id = m.conversation_id
          WHERE m.agent_id = ? AND m.status = 'sending' AND m.account_id = ?
            AND (m.person_id = ? OR m.comment_id IS NOT NULL OR t.person_id = ?) LIMIT 1`,
        [agentId, accountId, personId, personId],
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
        const ids = rows.map((row) => row.id as string);
        if (ids.length > 0)
          await inTransaction(async (statements) => {
            if (table === 'channel_messages') await forgetUnsent(statements, ids);
            await statements.execute(`DELETE FROM ${table} WHERE id IN (?)`, [ids]);
          });
        return ids.length;
      };
      return (await old('channel_events', before.events)) + (await old('channel_messages', before.messages));
    },
  };
}
