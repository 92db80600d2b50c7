import { v7 as uuidv7 } from 'uuid';
import type { DeliveryRow } from '../../../core/ports/store/webhooks.js';
import { newDelivery } from '../../../core/webhooks/new-delivery.js';
import { newWebhook, testEvent } from '../../../core/webhooks/webhook-changes.js';
import { testKeyring } from '../../support/keyring.js';
import { onEachEngine, startTestService } from '../../support/service.js';

await onEachEngine('old deliveries are deleted, oldest first; open ones stay', async (t, engine) => {
  const { store } = await startTestService(t, { engine, settings: { webhooks: { keepDays: null } } });
  const { webhooks } = store;
  const { row: webhook } = newWebhook(
    uuidv7(),
    { url: 'https://hooks.acme.com' },
    { keyring: testKeyring, now: 1 },
  );
  await webhooks.create(webhook, 20);
  const ended = (endedAt: number | null): DeliveryRow => ({
    ...newDelivery(webhook, testEvent(webhook.id, 1)),
    status: endedAt === null ? 'pending' : 'delivered',
    dueAtMs: Number.MAX_SAFE_INTEGER,
    endedAt,
  });
  const rows = [ended(30), ended(null), ended(10), ended(20)];
  for (const row of rows) await webhooks.addDelivery(row);
  const left = async () => {
    const found = await webhooks.deliveries(webhook.id, { limit: 10, before: null }, null);
    return found.map(({ endedAt }) => endedAt).sort();
  };
  t.equal(await webhooks.forget(25, 1), 1);
  t.strictSame(await left(), [20, 30, null]);
  t.equal(await webhooks.forget(25, 10), 1);
  t.equal(await webhooks.forget(25, 10), 0);
  t.strictSame(await left(), [30, null]);
});
