import { newDelivery } from '../../../core/webhooks/new-delivery.js';
import { deliveries, deliveryColumns, webhooks } from '../tables/webhooks.js';
import type { TurnScope } from './scope.js';
import { insertRows } from './write-rows.js';

/** A delivery for each webhook of the workspace that wants to know what has happened in this turn. */
export async function writeEvents(scope: TurnScope, workspaceId: string): Promise<void> {
  const events = [...scope.events.map.values()];
  scope.events.clear();
  if (events.length === 0) return;
  // Whoever deletes or disables one waits for us, or we for them: no delivery is left without its webhook.
  const lock = scope.dialect === 'mysql' ? ' LOCK IN SHARE MODE' : '';
  const rows = await scope.select(`SELECT * FROM webhooks WHERE workspace_id = ? AND enabled = 1${lock}`, [
    workspaceId,
  ]);
  const waiting = rows
    .map((row) => webhooks.decode(row))
    .flatMap((webhook) =>
      events
        .filter(({ type }) => (webhook.events as string[]).includes(type))
        .map((event) => newDelivery(webhook, event)),
    );
  if (waiting.length > 0) await insertRows(scope, deliveries.name, waiting.map(deliveryColumns));
}
