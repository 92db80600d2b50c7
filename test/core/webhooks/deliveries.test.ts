import type { Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import { createInbox } from '../../../core/jobs/inbox.js';
import { type Log, silentLog } from '../../../core/ports/log.port.js';
import type { Storage } from '../../../core/ports/storage.port.js';
import { WEBHOOK_IN_QUEUE_MS } from '../../../core/tasks/types/deliver-webhook.js';
import { type TaskMessage, WIRE_VERSION } from '../../../core/tasks/wire.js';
import { createDeliveries } from '../../../core/webhooks/deliveries.js';
import { newDelivery } from '../../../core/webhooks/new-delivery.js';
import { newWebhook, testEvent } from '../../../core/webhooks/webhook-changes.js';
import { actors } from '../../support/agents.js';
import { testKeyring } from '../../support/keyring.js';
import t from '../../support/t.js';

const LEASE_MS = 15_000;
const WINDOW = 64;

async function begun(t: Test, queueIs = { up: true }, log: Log = silentLog) {
  const { store, agents } = await actors(t);
  const { webhooks } = store;
  const now = { ms: 1_800_000_000_000 };
  const clock = { now: () => now.ms };
  const sent: TaskMessage[] = [];
  const deliveries = createDeliveries({
    webhooks,
    keyring: testKeyring,
    queue: {
      publish: async (messages) => {
        if (!queueIs.up) throw new Error('away');
        sent.push(...messages);
        return messages.map(() => true);
      },
    },
    installation: 'ours',
    clock,
    window: WINDOW,
    leaseMs: LEASE_MS,
    disableAfterMs: 1e12,
    keepDays: null,
    random: () => 0,
    onOutcome: () => {},
    log,
  });
  const receive = createInbox({
    agents,
    tasks: store.tasks,
    uploads: store.uploads,
    storage: { get: async () => null } as unknown as Storage,
    indexer: { index: () => Promise.reject(new Error('not asked for')) },
    deliveries: deliveries.receive,
    clock,
    leaseMs: LEASE_MS,
    log: silentLog,
  });
  return { webhooks, deliveries, now, sent, receive };
}

t.test('a queue outage costs no attempt; at most ten deliveries per webhook are in flight', async (t) => {
  const queueIs = { up: false };
  const { webhooks, deliveries, now, sent } = await begun(t, queueIs);
  const [slow, quick] = ['slow', 'quick'].map(
    (name) => newWebhook(uuidv7(), { url: `https://${name}.acme.com` }, { keyring: testKeyring, now: 1 }).row,
  );
  if (!slow || !quick) throw new Error('two webhooks were expected');
  for (const webhook of [slow, quick]) await webhooks.create(webhook, 20);
  for (let n = 0; n < 15; n += 1)
    await webhooks.addDelivery(newDelivery(slow, testEvent(slow.id, 1_800_000_000)));
  const one = newDelivery(quick, testEvent(quick.id, 1_800_000_000));
  await webhooks.addDelivery(one);
  for (let n = 0; n < 20; n += 1) {
    await deliveries.round();
    now.ms += 2000;
  }
  t.match(await webhooks.delivery(quick.id, one.id), { status: 'pending', tries: 0 });
  queueIs.up = true;
  await deliveries.round();
  t.equal(sent.length, 11);
  await deliveries.round();
  t.equal(sent.length, 11, 'the others wait until these have ended');
  const message = sent.find(({ taskId }) => taskId === one.id);
  if (!message) throw new Error('a message was expected');
  t.match(message, { agentId: quick.id, installation: 'ours', payload: { url: 'https://quick.acme.com' } });

  const said = { v: WIRE_VERSION, deliveryId: one.id, webhookId: quick.id, worker: 'test' };
  const answered = (attempt: number, status: number) =>
    deliveries.receive({
      ...said,
      attempt,
      kind: 'succeeded',
      outcome: { kind: 'answered', status, body: '' },
    });
  await answered(message.attempt - 1, 200);
  t.match(
    await webhooks.delivery(quick.id, one.id),
    { status: 'sending' },
    'an attempt of before says nothing',
  );
  await answered(message.attempt, 500);
  t.match(await webhooks.delivery(quick.id, one.id), { status: 'pending', tries: 1, answerStatus: 500 });
  now.ms += 6000;
  await deliveries.round();
  await answered(message.attempt + 1, 204);
  t.match(await webhooks.delivery(quick.id, one.id), { status: 'delivered', errorCode: null });
});

t.test('messages that no key can sign fail when they expire', async (t) => {
  const lines: object[] = [];
  const { webhooks, deliveries, now, sent } = await begun(
    t,
    { up: true },
    { ...silentLog, warn: (fields, message) => void lines.push({ ...fields, message }) },
  );
  const { row: webhook } = newWebhook(
    uuidv7(),
    { url: 'https://hooks.acme.com' },
    { keyring: testKeyring, now: 1 },
  );
  await webhooks.create({ ...webhook, secret: Buffer.alloc(90, 3).toString('base64') }, 20);
  const rows = Array.from({ length: 10 }, () => newDelivery(webhook, testEvent(webhook.id, now.ms / 1000)));
  for (const row of rows) await webhooks.addDelivery(row);
  const states = () =>
    Promise.all(rows.map(async ({ id }) => (await webhooks.delivery(webhook.id, id))?.status));
  await deliveries.round();
  t.same(new Set(await states()), new Set(['pending']));
  now.ms += 25 * 3_600_000;
  await deliveries.round();
  t.same(new Set(await states()), new Set(['failed']));
  t.match(await webhooks.delivery(webhook.id, rows[0]?.id ?? ''), { errorCode: 'SECRET_UNREADABLE' });
  deliveries.end();
  t.match(lines, [{ messages: 1 }, { messages: 19 }], 'two lines for all of them');
  t.same(sent, []);
});

t.test('after a pause of this process, leases are trusted only after one full lease time', async (t) => {
  const { webhooks, deliveries, now, sent } = await begun(t);
  const { row: webhook } = newWebhook(
    uuidv7(),
    { url: 'https://hooks.acme.com' },
    { keyring: testKeyring, now: 1 },
  );
  await webhooks.create(webhook, 20);
  await webhooks.addDelivery(newDelivery(webhook, testEvent(webhook.id, now.ms / 1000)));
  await deliveries.round();
  t.equal(sent.length, 1);
  now.ms += WEBHOOK_IN_QUEUE_MS + 1;
  await deliveries.round();
  t.equal(sent.length, 1, 'its result may wait in the queue');
  for (let passed = 0; passed < LEASE_MS - 2000; passed += 2000) {
    now.ms += 2000;
    await deliveries.round();
  }
  t.equal(sent.length, 1);
  now.ms += 3000;
  await deliveries.round();
  t.equal(sent.length, 2, 'nothing was heard: it is lost');
  await webhooks.forgetSending();
  now.ms += 6000;
  await deliveries.round();
  t.equal(sent.length, 3, 'what the queue has forgotten does not wait');
  const late = newDelivery(webhook, testEvent(webhook.id, now.ms / 1000));
  await webhooks.delete(webhook.workspaceId, webhook.id);
  t.equal(await webhooks.addDelivery(late), 'off');
  t.equal(await webhooks.countDeliveries(webhook.id, null), 0, 'nothing waits for a webhook that is gone');
});

t.test('a worker of the version before can read a delivery and report its end', async (t) => {
  const { webhooks, deliveries, now, sent, receive } = await begun(t);
  const { row: webhook } = newWebhook(
    uuidv7(),
    { url: 'https://hooks.acme.com' },
    { keyring: testKeyring, now: 1 },
  );
  await webhooks.create(webhook, 20);
  const row = newDelivery(webhook, testEvent(webhook.id, now.ms / 1000));
  await webhooks.addDelivery(row);
  await deliveries.round();
  const ids = { taskId: row.id, jobId: 0, agentId: webhook.id, attempt: 1, installation: 'ours' };
  const [message] = sent;
  t.match(message, {
    v: 1,
    ...ids,
    workspaceId: webhook.workspaceId,
    type: 'deliver_webhook',
    payload: { url: 'https://hooks.acme.com', headers: { 'webhook-id': row.id }, body: row.body },
    requestId: null,
  });

  const said = { v: 1, ...ids, requestId: null, target: 'https://hooks.acme.com', worker: 'before' };
  await receive({ ...said, kind: 'started' });
  await receive({ ...said, kind: 'dead', worker: 'the queue', reason: 'delivered too often' });
  t.match(await webhooks.delivery(webhook.id, row.id), { status: 'pending', errorCode: 'WORKER_CRASHED' });
  now.ms += 6000;
  await deliveries.round();
  const outcome = { kind: 'answered' as const, status: 204, body: '' };
  await receive({ ...said, attempt: 2, kind: 'succeeded', outcome });
  t.match(await webhooks.delivery(webhook.id, row.id), { status: 'delivered', attempts: 2 });
});
