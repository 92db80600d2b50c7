import type { DeliveryRow, WebhookRow, Webhooks } from '../../core/ports/store/webhooks.js';
import type { Connection } from './connection.js';
import { statementsIn } from './statements.js';
import { deliveries, deliveryColumns, webhooks } from './tables/webhooks.js';
import type { Transact } from './transact.js';
import { giveUpDeliveries, patchRow } from './webhook-rows.js';

type Begun = { delivery: DeliveryRow; webhook: WebhookRow };

/** Attempts of deliveries: how they begin, live and end. Their number is their right to be written. */
export function webhookAttempts(
  connection: Connection,
  transact: Transact,
): Pick<Webhooks, 'begin' | 'extendLease' | 'putOff' | 'settle' | 'forgetSending'> {
  const { read, dialect } = connection;
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  /** Where the last round ended: webhooks take turns. */
  let behind = '';

  /** Webhooks for which something is due, or was lost, from where the last round ended. */
  async function webhooksInLine(nowMs: number, lostUpToMs: number, limit: number): Promise<WebhookRow[]> {
    const [due] = await read(
      `SELECT id FROM webhook_deliveries WHERE status = 'pending' AND due_at_ms <= ? LIMIT 1`,
      [nowMs],
    );
    const [lost] = due
      ? [due]
      : await read(
          `SELECT id FROM webhook_deliveries WHERE status = 'sending' AND lease_until_ms <= ? LIMIT 1`,
          [lostUpToMs],
        );
    if (!lost) return [];
    const inLine = (than: string) =>
      read(
        `SELECT * FROM webhooks WHERE id ${than} ? AND enabled = 1 AND (
            EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = webhooks.id AND d.status = 'pending' AND d.due_at_ms <= ?)
            OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = webhooks.id AND d.status = 'sending' AND d.lease_until_ms <= ?))
          ORDER BY id LIMIT ${limit}`,
        [behind, nowMs, lostUpToMs],
      );
    const rows = [...(await inLine('>')), ...(await inLine('<='))].slice(0, limit);
    return rows.map((row) => webhooks.decode(row));
  }

  async function dueOf(
    webhookId: string,
    nowMs: number,
    lostUpToMs: number,
    each: number,
  ): Promise<DeliveryRow[]> {
    const [under] = await read(
      `SELECT COUNT(*) AS n FROM webhook_deliveries WHERE webhook_id = ? AND status = 'sending' AND lease_until_ms > ?`,
      [webhookId, lostUpToMs],
    );
    const room = each - Number(under?.n ?? 0);
    if (room <= 0) return [];
    const rows = await read(
      `SELECT * FROM (SELECT * FROM webhook_deliveries WHERE webhook_id = ? AND status = 'sending' AND lease_until_ms <= ? LIMIT ${room}) AS lost
        UNION ALL SELECT * FROM (SELECT * FROM webhook_deliveries WHERE webhook_id = ? AND status = 'pending' AND due_at_ms <= ?
          ORDER BY due_at_ms LIMIT ${room}) AS due`,
      [webhookId, lostUpToMs, webhookId, nowMs],
    );
    return rows.map((row) => deliveries.decode(row)).slice(0, room);
  }

  return {
    async begin(now, { each, limit }) {
      const begun: Begun[] = [];
      for (const webhook of await webhooksInLine(now.ms, now.lostUpToMs, limit)) {
        if (begun.length >= limit) break;
        behind = webhook.id;
        for (const delivery of (await dueOf(webhook.id, now.ms, now.lostUpToMs, each)).slice(
          0,
          limit - begun.length,
        ))
          begun.push({ delivery, webhook });
      }
      if (begun.length === 0) return [];
      return transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        const ours: Begun[] = [];
        for (const { delivery, webhook } of begun) {
          // One that was lost may never have been sent: without workers, all tries would go by.
          const tried = delivery.status === 'pending' ? 1 : 0;
          const { changed } = await execute(
            `UPDATE webhook_deliveries SET status = 'sending', attempts = attempts + 1, tries = tries + ?, lease_until_ms = ?
              WHERE id = ? AND attempts = ? AND status = ?`,
            [tried, now.leaseUntilMs, delivery.id, delivery.attempts, delivery.status],
          );
          const next = { attempts: delivery.attempts + 1, tries: delivery.tries + tried };
          // Another process may have been faster.
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
