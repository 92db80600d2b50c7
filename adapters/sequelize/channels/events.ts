import { createShares } from '../../../core/fairness/shares.js';
import type { ChannelFlow, Claim, EventRow } from '../../../core/ports/store/channel-flow.js';
import type { Connection } from '../database/connection.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { channelEvents, eventOf, outgoing } from '../tables/channel-flow.js';
import { connectionRowOf } from '../tables/channels.js';
import { insertNew } from './insert-new.js';

type Events = Pick<
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

/** Events in one transaction. */
const ACCEPTED = 100;
/** Events of a lane in one claim. */
const LANE = 50;
/** Lanes of an account to choose from. */
const LANES = 100;
/** Longest wait for a pause between messages, as a multiple of the pause. */
const GATHERINGS = 10;

export function channelEventQueue(connection: Connection, transact: Transact): Events {
  const { read, dialect } = connection;
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  /** The agent where the last round ended: rounds go through agents round-robin. */
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

  const isDue = (alias: string) =>
    `(EXISTS (SELECT 1 FROM channel_events e WHERE e.account_id = ${alias}.account_id AND e.status = 'pending' AND e.due_at_ms <= ?)
      OR EXISTS (SELECT 1 FROM channel_events e WHERE e.account_id = ${alias}.account_id AND e.status = 'running' AND e.due_at_ms <= ?))`;

  /** Connections with due events, starting behind the last one served. */
  async function dueConnections(nowMs: number, limit: number) {
    const find = (than: string) =>
      read(
        `SELECT * FROM channel_connections c WHERE agent_id ${than} ? AND account_id IS NOT NULL AND ${isDue('c')}
          ORDER BY agent_id LIMIT ${limit}`,
        [behind, nowMs, nowMs],
      );
    return [...(await find('>')), ...(await find('<='))].slice(0, limit).map(connectionRowOf);
  }

  async function dueLanes(accountId: string, nowMs: number): Promise<string[]> {
    const rows = await read(
      `SELECT lane FROM (SELECT lane FROM channel_events WHERE account_id = ? AND status = 'pending' AND due_at_ms <= ?
          ORDER BY due_at_ms LIMIT ${LANES}) AS pending
        UNION SELECT lane FROM (SELECT lane FROM channel_events WHERE account_id = ? AND status = 'running' AND due_at_ms <= ?
          LIMIT ${LANES}) AS lost`,
      [accountId, nowMs, accountId, nowMs],
    );
    return [...new Set(rows.map((row) => row.lane as string))];
  }

  /** Claims a lane unless another attempt has it, or its person is still writing. */
  const claimLane = (
    of: Claim['connection'],
    lane: string,
    nowMs: number,
    { leaseUntilMs, gatherMs }: { leaseUntilMs: number; gatherMs: number },
  ): Promise<Claim | null> =>
    inTransaction(async ({ select, execute }) => {
      const rows = await select(
        `SELECT * FROM channel_events WHERE account_id = ? AND lane = ? AND status IN ('pending', 'running')
          ORDER BY received_at_ms, id LIMIT ${LANE}${lock}`,
        [of.accountId, lane],
      );
      const open = rows.map(eventOf);
      const oldest = open[0];
      if (!oldest || open.some(({ status, dueAtMs }) => status === 'running' && dueAtMs > nowMs)) return null;
      const isWriting = open.some(({ dueAtMs }) => dueAtMs > nowMs);
      if (isWriting && oldest.receivedAtMs > nowMs - GATHERINGS * gatherMs) return null;
      const attempt = Math.max(...open.map(({ attempts }) => attempts)) + 1;
      await execute(
        `UPDATE channel_events SET tries = tries + CASE WHEN status = 'running' THEN 1 ELSE 0 END,
            first_try_at_ms = COALESCE(first_try_at_ms, ?), status = 'running', attempts = ?, due_at_ms = ? WHERE id IN (?)`,
        [nowMs, attempt, leaseUntilMs, open.map(({ id }) => id)],
      );
      const events = open.map(
        (event): EventRow => ({
          ...event,
          tries: event.tries + (event.status === 'running' ? 1 : 0),
          firstTryAtMs: event.firstTryAtMs ?? nowMs,
          status: 'running',
          attempts: attempt,
          dueAtMs: leaseUntilMs,
        }),
      );
      return { connection: of, lane, attempt, events };
    }, of.workspaceId);

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
      // In several transactions, so that no other writer waits for long. A repeated event is ignored.
      let inserted = 0;
      for (let at = 0; at < rows.length; at += ACCEPTED)
        inserted += await inTransaction((statements) =>
          insertNew(statements, channelEvents, rows.slice(at, at + ACCEPTED)),
        );
      return inserted;
    },
    async claim(nowMs, { perAccount, limit, ...options }) {
      const due = await dueConnections(nowMs, limit);
      if (due.length === 0) return [];
      const running = await read(
        `SELECT account_id, COUNT(DISTINCT lane) AS n FROM channel_events WHERE status = 'running' AND due_at_ms > ?
          GROUP BY account_id`,
        [nowMs],
      );
      const busy = new Map(running.map((row) => [row.account_id as string, Number(row.n)]));
      const shares = createShares(limit, limit, new Map());
      const claims: Claim[] = [];
      for (const one of due) {
        behind = one.agentId;
        const accountId = one.accountId as string;
        let room = perAccount - (busy.get(accountId) ?? 0);
        for (const lane of room > 0 ? await dueLanes(accountId, nowMs) : []) {
          if (room === 0 || !shares.mayTake(one.workspaceId)) break;
          const claim = await claimLane(one, lane, nowMs, options);
          if (!claim) continue;
          room -= 1;
          shares.take(one.workspaceId);
          claims.push(claim);
        }
        if (claims.length >= limit) break;
      }
      return claims;
    },
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
          `UPDATE channel_events SET status = 'pending', due_at_ms = ?, tries = tries + ?, first_try_at_ms = ?
            WHERE id IN (?) AND status = 'running' AND attempts = ?`,
          [
            dueAtMs,
            counts ? 1 : 0,
            counts ? (events[0]?.firstTryAtMs ?? nowMs) : null,
            events.map(({ id }) => id),
            attempt,
          ],
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
        if (changed === 1 && reply) await insertNew(statements, outgoing, [reply]);
      }, of.workspaceId),
    endOrphans: (beforeMs, now) =>
      inTransaction(async ({ execute }) => {
        await execute(
          `UPDATE channel_events SET status = 'skipped', reason = 'NOT_CONNECTED', ended_at = ?
            WHERE status IN ('pending', 'running') AND received_at_ms < ?
              AND NOT EXISTS (SELECT 1 FROM channel_connections c WHERE c.account_id = channel_events.account_id)`,
          [now, beforeMs],
        );
        await execute(
          `UPDATE channel_messages SET status = 'cancelled', ended_at = ? WHERE status = 'waiting' AND created_at < ?
              AND NOT EXISTS (SELECT 1 FROM channel_connections c
                WHERE c.account_id = channel_messages.account_id AND c.agent_id = channel_messages.agent_id)`,
          [now, Math.floor(beforeMs / 1000)],
        );
      }),
  };
}
