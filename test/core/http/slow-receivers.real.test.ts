import { createKeyring } from '../../../core/secrets/keyring.js';
import { newDelivery } from '../../../core/webhooks/new-delivery.js';
import { newWebhook, testEvent } from '../../../core/webhooks/webhook-changes.js';
import { loopbackServer } from '../../support/loopback-server.js';
import { onEachEngine, startTestService, type TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { webhookReceiver } from '../../support/webhook-receiver.js';

const HOOKS = 'https://hooks.acme.com';
const SLOW = 'https://slow.acme.com';
const WORKSPACES = 5;
const WEBHOOKS_EACH = 20;
const MESSAGES_EACH = 10;
/** An attempt at a receiver that never responds takes twice as long. */
const IN_TIME_MS = 30_000;

async function send({ store }: TestService, workspaceId: string, url: string, messages: number) {
  const now = Math.floor(Date.now() / 1000);
  const keyring = createKeyring({ key: null, previousKeys: [], installation: await store.secret() });
  const { row: webhook } = newWebhook(workspaceId, { url }, { keyring, now });
  await store.webhooks.create(webhook, WEBHOOKS_EACH);
  for (let n = 0; n < messages; n += 1)
    await store.webhooks.addDelivery(newDelivery(webhook, testEvent(webhook.id, now)));
}

await onEachEngine(
  'a message does not wait for 100 slow receivers of five other workspaces',
  async (t, engine) => {
    const receiver = await webhookReceiver(t);
    let waiting = 0;
    const never = await loopbackServer(t, () => {
      waiting += 1;
    });
    const service = await startTestService(t, {
      engine,
      worker: {
        webhooks: { timeoutMs: 2 * IN_TIME_MS },
        crawl: { resolve: { [HOOKS]: receiver.origin, [SLOW]: never } },
      },
    });
    for (let n = 0; n < WORKSPACES; n += 1) {
      const { id } = await service.workspace();
      const before = waiting;
      await Promise.all(
        Array.from({ length: WEBHOOKS_EACH }, (_, m) =>
          send(service, id, `${SLOW}/${n}/${m}`, MESSAGES_EACH),
        ),
      );
      await until(`messages of workspace ${n} are under way`, () => waiting > before, IN_TIME_MS);
    }
    const { id } = await service.workspace();
    await send(service, id, `${HOOKS}/quick`, 1);
    await until('the message has arrived', () => receiver.accepted.length === 1, IN_TIME_MS);
    t.match(receiver.accepted, [{ body: { type: 'webhook.test' } }]);
  },
);
