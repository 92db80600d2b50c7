import { createShares } from '../../../core/fairness/shares.js';
import type { DeliveryRow, WebhookRow, Webhooks } from '../../../core/ports/store/webhooks.js';
import type { Connection } from '../database/connection.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { deliveries, deliveryColumns, webhooks } from '../tables/webhooks.js';
import { giveUpDeliveries, patchRow } from './webhook-rows.js';

type Begun = { delivery: DeliveryRow; webhook: WebhookRow };

/** Begins, extends and ends attempts of deliveries. The attempt's number is its fencing token. */
export function webhookAttempts(
  connection: Connection,
  transact: Transact,
): Pick<Webhooks, 'begin' | 'extendLease' | 'putOff' | 'settle' | 'forgetSending'> {
  const { read, dialect } = connection;
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  /** Id of the webhook at which the last round ended. The next round continues after it (round-robin). */
  let behind = '';

  const hasDue = async (nowMs: number, lostUpToMs: number): Promise<boolean> => {
    const due = `SELECT id FROM webhook_deliveries WHERE status = 'pending' AND due_at_ms <= ? LIMIT 1`;
    const lost = `SELECT id FROM webhook_deliveries WHERE status = 'sending' AND lease_until_ms <= ? LIMIT 1`;
    return (await read(due, [nowMs])).length > 0 || (await read(lost, [lostUpToMs])).length > 0;
  };

  /** Counts the running attempts by webhook and by workspace. */
  async function running(lostUpToMs: number) {
    const rows = await read(
      `SELECT webhook_id, workspace_id, COUNT(*) AS n FROM webhook_deliveries
        WHERE status = 'sending' AND lease_until_ms > ? GROUP BY webhook_id, workspace_id`,
      [lostUpToMs],
    );
    const ofWebhook = new Map<string, number>();
    const ofWorkspace = new Map<string, number>();
    for (const row of rows) {
      ofWebhook.set(row.webhook_id as string, Number(row.n));
      const workspaceId = row.workspace_id as string;
      ofWorkspace.set(workspaceId, (ofWorkspace.get(workspaceId) ?? 0) + Number(row.n));
    }
    return { ofWebhook, ofWorkspace };
  }

  /** Webhooks with due or lost deliveries, except these, starting where the last round ended. */
  async function nextWebhooks(
    { ms, lostUpToMs }: { ms: number; lostUpToMs: number },
    except: { webhooks: string[]; workspaces: string[] },
    limit: number,
  ): Promise<WebhookRow[]> {
    const list = (ids: string[]) => ids.map(() => '?').join(', ');
    const others =
      (except.webhooks.length > 0 ? ` AND id NOT IN (${list(except.webhooks)})` : '') +
      (except.workspaces.length > 0 ? ` AND workspace_id NOT IN (${list(except.workspaces)})` : '');
    const find = (than: string) =>
      read(
        `SELECT * FROM webhooks WHERE id ${than} ? AND enabled = 1${others} AND (
            EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = webhooks.id AND d.status = 'pending' AND d.due_at_ms <= ?)
            OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = webhooks.id AND d.status = 'sending' AND d.lease_until_ms <= ?))
          ORDER BY id LIMIT ${limit}`,
        [behind, ...except.webhooks, ...except.workspaces, ms, lostUpToMs],
      );
    const rows = [...(await find('>')), ...(await find('<='))].slice(0, limit);
    return rows.map((row) => webhooks.decode(row));
  }

  async function dueOf(
    webhookId: string,
    { ms, lostUpToMs }: { ms: number; lostUpToMs: number },
    limit: number,
  ): Promise<DeliveryRow[]> {
    const rows = await read(
      `SELECT * FROM (SELECT * FROM webhook_deliveries WHERE webhook_id = ? AND status = 'sending' AND lease_until_ms <= ? LIMIT ${limit}) AS lost
        UNION ALL SELECT * FROM (SELECT * FROM webhook_deliveries WHERE webhook_id = ? AND status = 'pending' AND due_at_ms <= ?
          ORDER BY due_at_ms LIMIT ${limit}) AS due`,
      [webhookId, lostUpToMs, webhookId, ms],
    );
    return rows.map((row) => deliveries.decode(row)).slice(0, limit);
  }

  return {
    async begin(now, { each, window, limit }) {
      if (!(await hasDue(now.ms, now.lostUpToMs))) return [];
      const { ofWebhook, ofWorkspace } = await running(now.lostUpToMs);
      const shares = createShares(window, window, ofWorkspace);
      const full = {
        webhooks: [...ofWebhook].filter(([, n]) => n >= each).map(([id]) => id),
        workspaces: shares.full(),
      };
      const begun: Begun[] = [];
      for (const webhook of await nextWebhooks(now, full, limit)) {
        if (begun.length >= limit) break;
        behind = webhook.id;
        if (!shares.mayTake(webhook.workspaceId)) continue;
        const room = Math.min(each - (ofWebhook.get(webhook.id) ?? 0), limit - begun.length);
        for (const delivery of await dueOf(webhook.id, now, room)) {
          if (!shares.mayTake(webhook.workspaceId)) break;
          shares.take(webhook.workspaceId);
          begun.push({ delivery, webhook });
        }
      }
      if (begun.length === 0) return [];
      return transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        const ours: Begun[] = [];
        for (const { delivery, webhook } of begun) {
          // A lost attempt does not count as a try, because it may never have been sent: without workers, all tries
          // would be used up.
          const tried = delivery.status === 'pending' ? 1 : 0;
          const { changed } = await execute(
            `UPDATE webhook_deliveries SET status = 'sending', attempts = attempts + 1, tries = tries + ?, lease_until_ms = ?
              WHERE id = ? AND attempts = ? AND status = ?`,
            [tried, now.leaseUntilMs, delivery.id, delivery.attempts, delivery.status],
          );
          const next = { attempts: delivery.attempts + 1, tries: delivery.tries + tried };
          // Another process may have begun it first.
          if (changed === 1) ours.push({ webhook, delivery: { ...delivery, ...next, status: 'sending' } });
        }
        return ours;
      });
    },
    extendLease: ({ id, attempts }, untilMs) =>
      transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        const { changed } = await execute(
          `UPDATE webhook_deliveries SET lease_until_ms = ? WHERE id = ? AND attempts = ? AND status = 'sending'`,
          [untilMs, id, attempts],
        );
        return changed > 0;
      }),
    async putOff({ id, attempts }, dueAtMs) {
      await transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        await execute(
          `UPDATE webhook_deliveries SET status = 'pending', tries = tries - 1, due_at_ms = ?, lease_until_ms = NULL
            WHERE id = ? AND attempts = ? AND status = 'sending'`,
          [dueAtMs, id, attempts],
        );
      });
    },
    settle: ({ id, attempts }, end) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const [row] = await statements.select(
          `SELECT * FROM webhook_deliveries WHERE id = ? AND attempts = ? AND status = 'sending'${lock}`,
          [id, attempts],
        );
        if (!row) return false;
        const delivery = deliveries.decode(row);
        const [found] = await statements.select(`SELECT * FROM webhooks WHERE id = ?${lock}`, [
          delivery.webhookId,
        ]);
        if (!found) return false;
        const now = { delivery, webhook: webhooks.decode(found) };
        const settled = end(now);
        await patchRow(statements, deliveries.name, id, deliveryColumns(settled.delivery));
        await patchRow(
          statements,
          webhooks.name,
          delivery.webhookId,
          webhooks.byColumn(webhooks.encode(settled.webhook)),
        );
        if (settled.webhook.enabled === false)
          await giveUpDeliveries(statements, delivery.webhookId, settled.delivery.lastAttemptAt ?? 0);
        return true;
      }),
    async forgetSending() {
      await transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        await execute(`UPDATE webhook_deliveries SET lease_until_ms = 0 WHERE status = 'sending'`, []);
      });
    },
  };
}
