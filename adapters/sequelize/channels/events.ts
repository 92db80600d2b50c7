import type { ChannelFlow } from '../../../core/ports/store/channels/channel-flow.js';
import type { Connection } from '../database/connection.js';
import { inTransactionOf } from '../database/in-transaction.js';
import { insertNew } from '../database/insert-new.js';
import type { Transact } from '../database/transact.js';
import { channelEvents } from '../tables/channel-flow.js';
import { eventClaims } from './event-claims.js';
import { queueFor } from './recipients.js';

export type Events = Pick<
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

/** Maximum events per transaction. */
const ACCEPTED = 100;

/** Maximum orphans that end per round. */
const MOST_ORPHANS = 1000;

export function channelEventQueue(connection: Connection, transact: Transact): Events {
  const { read } = connection;
  const inTransaction = inTransactionOf(connection, transact);

  return {
    async agentsOf(accountIds) {
      if (accountIds.length === 0) return new Map();
      const rows = await read(
        `SELECT account_id, agent_id FROM channel_connections WHERE account_id IN (${accountIds.map(() => '?').join(', ')})`,
        accountIds,
      );
      return new Map(rows.map((row) => [row.account_id as string, row.agent_id as string]));
    },
    async waiting() {
      const rows = await read(
        `SELECT account_id, COUNT(*) AS n FROM channel_events WHERE status = 'pending' GROUP BY account_id`,
        [],
      );
      return new Map(rows.map((row) => [row.account_id as string, Number(row.n)]));
    },
    async oldestWaiting() {
      const [row] = await read(
        `SELECT MIN(received_at_ms) AS oldest FROM channel_events WHERE status IN ('pending', 'running')`,
        [],
      );
      return row?.oldest == null ? null : Number(row.oldest);
    },
    async accept(rows) {
      // Several short transactions, so that no other writer waits for long. Ignores repeated events, and events of
      // agents that have been deleted since.
      let inserted = 0;
      for (let at = 0; at < rows.length; at += ACCEPTED)
        inserted += await inTransaction(async (statements) => {
          const batch = rows.slice(at, at + ACCEPTED);
          const agents = new Set(batch.map(({ agentId }) => agentId));
          const found = await statements.select('SELECT id FROM agents WHERE id IN (?)', [[...agents]]);
          const existing = new Set(found.map(({ id }) => id));
          return insertNew(
            statements,
            channelEvents,
            batch.filter(({ agentId }) => existing.has(agentId)),
          );
        });
      return inserted;
    },
    ...eventClaims(connection, inTransaction),
    extend: ({ events, attempt }, untilMs) =>
      inTransaction(async ({ execute }) => {
        await execute(
          `UPDATE channel_events SET due_at_ms = ? WHERE id IN (?) AND status = 'running' AND attempts = ?`,
          [untilMs, events.map(({ id }) => id), attempt],
        );
      }),
    putOff: ({ connection: of, events, attempt }, { dueAtMs, nowMs, counts }) =>
      inTransaction(async ({ execute }) => {
        await execute(
          `UPDATE channel_events SET status = 'pending', due_at_ms = ?, tries = ${counts ? 'tries + 1' : '0'}, first_try_at_ms = ?
            WHERE id IN (?) AND status = 'running' AND attempts = ?`,
          [dueAtMs, counts ? (events[0]?.firstTryAtMs ?? nowMs) : null, events.map(({ id }) => id), attempt],
        );
      }, of.workspaceId),
    end: ({ connection: of, attempt }, ids, { status, reason, now }) =>
      inTransaction(async ({ execute }) => {
        await execute(
          `UPDATE channel_events SET status = ?, reason = ?, ended_at = ? WHERE id IN (?) AND status = 'running' AND attempts = ?`,
          [status, reason, now, ids, attempt],
        );
      }, of.workspaceId),
    endComment: ({ connection: of, attempt }, eventId, reply, now) =>
      inTransaction(async (statements) => {
        const { changed } = await statements.execute(
          `UPDATE channel_events SET status = 'done', reason = ?, ended_at = ? WHERE id = ? AND status = 'running' AND attempts = ?`,
          [reply ? 'AUTOMATION' : 'UNMATCHED', now, eventId, attempt],
        );
        if (changed === 1 && reply) await queueFor(statements, reply.row, reply.recipient);
      }, of.workspaceId),
    async endOrphans(beforeMs, now) {
      // Select without locks, then update by key: an UPDATE with this condition would lock every waiting row and delay
      // inserts.
      const events = await read(
        `SELECT id FROM channel_events e WHERE status IN ('pending', 'running') AND received_at_ms < ?
            AND NOT EXISTS (SELECT 1 FROM channel_connections c WHERE c.account_id = e.account_id) LIMIT ${MOST_ORPHANS}`,
        [beforeMs],
      );
      const messages = await read(
        `SELECT id FROM channel_messages m WHERE status = 'waiting' AND created_at < ?
            AND NOT EXISTS (SELECT 1 FROM channel_connections c WHERE c.account_id = m.account_id AND c.agent_id = m.agent_id)
          LIMIT ${MOST_ORPHANS}`,
        [Math.floor(beforeMs / 1000)],
      );
      if (events.length === 0 && messages.length === 0) return;
      await inTransaction(async ({ execute }) => {
        if (events.length > 0)
          await execute(
            `UPDATE channel_events SET status = 'skipped', reason = 'NOT_CONNECTED', ended_at = ?
              WHERE id IN (?) AND status IN ('pending', 'running')
                AND NOT EXISTS (SELECT 1 FROM channel_connections c WHERE c.account_id = channel_events.account_id)`,
            [now, events.map(({ id }) => id)],
          );
        if (messages.length > 0)
          await execute(
            `UPDATE channel_messages SET status = 'cancelled', ended_at = ? WHERE id IN (?) AND status = 'waiting'
                AND NOT EXISTS (SELECT 1 FROM channel_connections c
                  WHERE c.account_id = channel_messages.account_id AND c.agent_id = channel_messages.agent_id)`,
            [now, messages.map(({ id }) => id)],
          );
      });
    },
  };
}
