import type { ChangeOutcome } from '../../../core/ports/store/audit.js';
import { SecretChanged } from '../../../core/ports/store/store-errors.js';
import type { StoredResponse } from '../../../core/ports/store/stored-responses.js';
import type { DeliveryRow, WebhookRow, Webhooks } from '../../../core/ports/store/webhooks.js';
import { writeAudit } from '../audit/insert-audit.js';
import type { Connection, Row } from '../database/connection.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { insertRows } from '../database/write-rows.js';
import { lockWorkspace } from '../rows/lock-workspace.js';
import { turnResponses } from '../rows/responses.js';
import { deliveries, deliveryColumns, webhooks } from '../tables/webhooks.js';
import { webhookAttempts } from './webhook-attempts.js';
import { giveUpDeliveries, patchRow } from './webhook-rows.js';

const webhookOf = (row: Row): WebhookRow => webhooks.decode(row);
const targetOf = (id: string): ChangeOutcome => ({ target: { type: 'webhook', id, label: null } });
const deliveryOf = (row: Row): DeliveryRow => deliveries.decode(row);

export function createWebhooks(connection: Connection, transact: Transact): Webhooks {
  const { read, dialect } = connection;
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';

  /** Runs the change and stores the request's response in one transaction. */
  const write = <T>(
    workspaceId: string,
    work: (statements: Statements) => Promise<T>,
    response?: StoredResponse,
  ): Promise<T> =>
    transact(async (transaction) => {
      const statements = statementsIn(connection, transaction);
      if (response) await turnResponses(statements, workspaceId).keep(response);
      return work(statements);
    }, workspaceId);

  const list = async (workspaceId: string) =>
    (await read('SELECT * FROM webhooks WHERE workspace_id = ? ORDER BY id DESC', [workspaceId])).map(
      webhookOf,
    );

  return {
    list,
    async find(workspaceId, webhookId) {
      const [row] = await read('SELECT * FROM webhooks WHERE id = ? AND workspace_id = ?', [
        webhookId,
        workspaceId,
      ]);
      return row ? webhookOf(row) : null;
    },
    create: (row, most, response) =>
      transact(async (transaction) => {
        // The lock serialises creations, so the limit holds.
        const statements = statementsIn(connection, transaction);
        await lockWorkspace(statements, row.workspaceId);
        const [found] = await statements.select('SELECT COUNT(*) AS n FROM webhooks WHERE workspace_id = ?', [
          row.workspaceId,
        ]);
        // A rejected change stores no response, or a repeated request would report it as made.
        if (Number(found?.n) >= most) return false;
        if (response) await turnResponses(statements, row.workspaceId).keep(response);
        await insertRows(statements, webhooks.name, [webhooks.byColumn(webhooks.encode(row))]);
        await writeAudit(statements, targetOf(row.id));
        return true;
      }, row.workspaceId),
    update: (workspaceId, webhookId, { now, secretBefore, ...patch }, response) =>
      write(workspaceId, async (statements) => {
        const sql = `SELECT * FROM webhooks WHERE id = ? AND workspace_id = ?${lock}`;
        const [row] = await statements.select(sql, [webhookId, workspaceId]);
        if (!row) return null;
        if (response) await turnResponses(statements, workspaceId).keep(response);
        if (secretBefore !== undefined && webhookOf(row).secret !== secretBefore) throw new SecretChanged();
        await patchRow(statements, webhooks.name, webhookId, webhooks.byColumn(webhooks.encode(patch)));
        await writeAudit(statements, { ...targetOf(webhookId), before: webhookOf(row), after: patch });
        if (patch.enabled === false) await giveUpDeliveries(statements, webhookId, now);
        return { ...webhookOf(row), ...patch };
      }),
    delete: (workspaceId, webhookId) =>
      write(workspaceId, async (statements) => {
        const { execute } = statements;
        const { changed } = await execute('DELETE FROM webhooks WHERE id = ? AND workspace_id = ?', [
          webhookId,
          workspaceId,
        ]);
        if (changed === 0) return false;
        await execute(
          `DELETE FROM webhook_deliveries WHERE webhook_id = ? AND status IN ('pending', 'sending')`,
          [webhookId],
        );
        await writeAudit(statements, targetOf(webhookId));
        return true;
      }),

    async secretsAfter(webhookId, limit) {
      const rows = await read(
        `SELECT id, secret, previous_secret FROM webhooks WHERE id > ? ORDER BY id LIMIT ${limit}`,
        [webhookId],
      );
      return rows.map(webhookOf);
    },
    replaceSecrets: (before, { secret, previousSecret }) =>
      transact(async (transaction) => {
        await statementsIn(connection, transaction).execute(
          `UPDATE webhooks SET secret = ?, previous_secret = ? WHERE id = ? AND secret = ?
              AND COALESCE(previous_secret, '') = ?`,
          [secret, previousSecret, before.id, before.secret, before.previousSecret ?? ''],
        );
      }),

    async deliveries(webhookId, { limit, before }, status) {
      const conditions = ['webhook_id = ?', ...(before ? ['id < ?'] : []), ...(status ? ['status = ?'] : [])];
      const params = [webhookId, ...(before ? [before] : []), ...(status ? [status] : [])];
      const rows = await read(
        `SELECT * FROM webhook_deliveries WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ${limit + 1}`,
        params,
      );
      return rows.map(deliveryOf);
    },
    async countDeliveries(webhookId, status) {
      const [row] = await read(
        `SELECT COUNT(*) AS n FROM webhook_deliveries WHERE webhook_id = ?${status ? ' AND status = ?' : ''}`,
        status ? [webhookId, status] : [webhookId],
      );
      return Number(row?.n ?? 0);
    },
    async delivery(webhookId, deliveryId) {
      const [row] = await read('SELECT * FROM webhook_deliveries WHERE id = ? AND webhook_id = ?', [
        deliveryId,
        webhookId,
      ]);
      return row ? deliveryOf(row) : null;
    },
    addDelivery: (row, response, most) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        // The lock serialises these transactions, so the limit holds and no delivery waits for a webhook that was just
        // deleted or disabled.
        const [webhook] = await statements.select(`SELECT enabled FROM webhooks WHERE id = ?${lock}`, [
          row.webhookId,
        ]);
        if (!webhook?.enabled) return 'off';
        if (most !== undefined) {
          const open = await statements.select(
            `SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND status IN ('pending', 'sending') AND event = ? LIMIT ${most}`,
            [row.webhookId, row.event],
          );
          if (open.length >= most) return 'full';
        }
        if (response) await turnResponses(statements, row.workspaceId).keep(response);
        await insertRows(statements, deliveries.name, [deliveryColumns(row)]);
        await writeAudit(statements, targetOf(row.webhookId));
        return 'added';
      }, row.workspaceId),
    sendAgain: ({ id, workspaceId, webhookId }, patch, response) =>
      write(
        workspaceId,
        async (statements) => {
          const { changed } = await statements.execute(
            `UPDATE webhook_deliveries SET status = 'pending', tries = 0, due_at_ms = ?, expires_at_ms = ?, ended_at = NULL
              WHERE id = ? AND status <> 'sending'
                AND EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = webhook_deliveries.webhook_id AND webhooks.enabled = 1)`,
            [patch.dueAtMs, patch.expiresAtMs, id],
          );
          if (changed > 0) await writeAudit(statements, targetOf(webhookId));
        },
        response,
      ),

    async forget(endedBefore, limit) {
      const old = await read(
        `SELECT id FROM webhook_deliveries WHERE ended_at < ? ORDER BY ended_at LIMIT ${limit}`,
        [endedBefore],
      );
      if (old.length === 0) return 0;
      await transact((transaction) =>
        statementsIn(connection, transaction).execute('DELETE FROM webhook_deliveries WHERE id IN (?)', [
          old.map((row) => row.id),
        ]),
      );
      return old.length;
    },

    ...webhookAttempts(connection, transact),
  };
}
