import type { ChannelFlow, Claim } from '../../../core/ports/store/channels/channel-flow.js';
import type { ConnectionRow } from '../../../core/ports/store/channels/channels.js';
import type { Connection } from '../database/connection.js';
import type { InTransaction } from '../database/in-transaction.js';
import { eventOf } from '../tables/channel-flow.js';
import { createDueAccounts } from './due-accounts.js';

/** Maximum events of a lane per claim. */
const LANE = 50;
/** Maximum lanes of an account to choose from. */
const LANES = 100;
/** Longest wait for a pause between messages, as a multiple of the pause. */
const GATHERINGS = 10;

type Options = Parameters<ChannelFlow['claim']>[1];

/** Claims lanes of due events. */
export function eventClaims(
  connection: Connection,
  inTransaction: InTransaction,
): Pick<ChannelFlow, 'claim'> {
  const { read, dialect } = connection;
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  const accounts = createDueAccounts(connection, 'channel_events', ['pending', 'running']);

  /** Returns due lanes, longest due first, without lanes that another attempt holds. */
  async function dueLanes(accountId: string, nowMs: number): Promise<string[]> {
    const rows = await read(
      `SELECT lane FROM channel_events WHERE account_id = ? AND status IN ('pending', 'running') AND due_at_ms <= ?
          AND lane NOT IN (SELECT lane FROM channel_events WHERE account_id = ? AND status = 'running' AND due_at_ms > ?)
        GROUP BY lane ORDER BY MIN(due_at_ms) LIMIT ${LANES}`,
      [accountId, nowMs, accountId, nowMs],
    );
    return rows.map((row) => row.lane as string);
  }

  /** Claims a lane unless another attempt holds it or its person is still writing. */
  const claimLane = (
    of: ConnectionRow,
    lane: string,
    nowMs: number,
    { leaseUntilMs, gatherMs, triesMs }: Options,
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
      const ids = open.map(({ id }) => id);
      // An attempt that died counts as a try. The count restarts after a long time without attempts, as after an
      // outage.
      await execute(
        `UPDATE channel_events SET
            tries = CASE WHEN status = 'pending' THEN tries WHEN first_try_at_ms < ? THEN 0 ELSE tries + 1 END,
            first_try_at_ms = CASE WHEN status = 'running' AND first_try_at_ms < ? THEN ? ELSE COALESCE(first_try_at_ms, ?) END,
            status = 'running', attempts = ?, due_at_ms = ? WHERE id IN (?)`,
        [nowMs - triesMs, nowMs - triesMs, nowMs, nowMs, attempt, leaseUntilMs, ids],
      );
      const claimed = await select(
        'SELECT * FROM channel_events WHERE id IN (?) ORDER BY received_at_ms, id',
        [ids],
      );
      const events = claimed.map(eventOf);
      return { connection: of, lane, attempt, events };
    }, of.workspaceId);

  return {
    async claim(nowMs, options) {
      const { perAccount, limit } = options;
      const due = await accounts.find(nowMs);
      if (due.length === 0) return [];
      const running = await read(
        `SELECT account_id, COUNT(DISTINCT lane) AS n FROM channel_events WHERE status = 'running' AND due_at_ms > ?
          GROUP BY account_id`,
        [nowMs],
      );
      const busy = new Map(running.map((row) => [row.account_id as string, Number(row.n)]));
      const share = Math.ceil(limit / new Set(due.map(({ workspaceId }) => workspaceId)).size);
      const claims: Claim[] = [];
      for (const one of due) {
        const accountId = one.accountId as string;
        const ofWorkspace = claims.filter(
          ({ connection }) => connection.workspaceId === one.workspaceId,
        ).length;
        const ofAccount = busy.get(accountId) ?? 0;
        let room = Math.min(limit - claims.length, share - ofWorkspace, perAccount - ofAccount);
        if (room <= 0) continue;
        accounts.served(one);
        try {
          for (const lane of await dueLanes(accountId, nowMs)) {
            const claim = await claimLane(one, lane, nowMs, options);
            if (!claim) continue;
            claims.push(claim);
            room -= 1;
            if (room === 0) break;
          }
        } catch (error) {
          // Return the claims so far, because their events must be handled.
          if (claims.length === 0) throw error;
          break;
        }
      }
      return claims;
    },
  };
}
