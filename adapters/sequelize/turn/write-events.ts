import type { WebhookEvent } from '../../../core/schemas/webhook-events.js';
import { newDelivery } from '../../../core/webhooks/new-delivery.js';
import type { Statements } from '../database/statements.js';
import { deliveries, deliveryColumns, webhooks } from '../tables/webhooks.js';
import type { TurnScope } from './scope.js';
import { insertRows } from './write-rows.js';

/** Creates the deliveries of this turn's events, for each webhook of the workspace that wants them. */
export async function writeEvents(scope: TurnScope, workspaceId: string): Promise<void> {
  const events = [...scope.events.map.values()];
  scope.events.clear();
  if (events.length > 0) await insertDeliveries(scope, workspaceId, events);
}

/** A delivery of each event for each webhook of the workspace that wants to know of it. */
export async function insertDeliveries(
  statements: Statements,
  workspaceId: string,
  events: readonly WebhookEvent[],
): Promise<void> {
  // Deleting or disabling a webhook waits for us, or we for it: no delivery is left without its webhook.
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
