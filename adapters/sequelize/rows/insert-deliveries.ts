import type { WebhookEvent } from '../../../core/schemas/webhook-events.js';
import { newDelivery } from '../../../core/webhooks/new-delivery.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { deliveries, deliveryColumns, webhooks } from '../tables/webhooks.js';

/** Inserts a delivery per event and subscribed webhook of the workspace. */
export async function insertDeliveries(
  statements: Statements,
  workspaceId: string,
  events: readonly WebhookEvent[],
): Promise<void> {
  // The lock serialises this with deleting or disabling a webhook, so no delivery is left without its webhook.
  const lock = statements.dialect === 'mysql' ? ' LOCK IN SHARE MODE' : '';
  const rows = await statements.select(
    `SELECT * FROM webhooks WHERE workspace_id = ? AND enabled = 1${lock}`,
    [workspaceId],
  );
  const waiting = rows
    .map((row) => webhooks.decode(row))
    .flatMap((webhook) =>
      events
        .filter(({ type }) => (webhook.events as string[]).includes(type))
        .map((event) => newDelivery(webhook, event)),
    );
  if (waiting.length > 0) await insertRows(statements, deliveries.name, waiting.map(deliveryColumns));
}
