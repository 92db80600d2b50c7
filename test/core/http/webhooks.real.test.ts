import type { Test } from 'tap';
import { webhookEventTypes } from '../../../core/schemas/webhook-events.js';
import { type ApiClient, body, invalid, type List, refused } from '../../support/api-client.js';
import { chatWith } from '../../support/chat.js';
import {
  type Engine,
  onEachEngine,
  startTestService,
  type TestServiceOptions,
} from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { expectedSignature, webhookReceiver } from '../../support/webhook-receiver.js';
import type { WorkspaceOptions } from '../../support/workspace.js';

/* Webhooks, from the event to a receiver on this machine and to the log. */

const HOOKS = 'https://hooks.acme.com';
const DOCS = 'https://docs.acme.com';
const MINUTE = 60_000;

interface Webhook {
  id: string;
  secret: string;
  enabled: boolean;
  disabledReason: string | null;
}
interface Delivery {
  id: string;
  event: string;
  status: string;
  attempts: number;
  nextAttemptAt: number | null;
  answer: { status: number; body: string } | null;
  error: { code: string } | null;
}

async function begun(
  t: Test,
  {
    engine,
    set = {},
    settings = {},
  }: { engine?: Engine; set?: WorkspaceOptions['set']; settings?: TestServiceOptions['settings'] } = {},
) {
  const receiver = await webhookReceiver(t);
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const service = await startTestService(t, {
    ...(engine ? { engine } : {}),
    clock,
    settings: { jobs: { maxAttempts: 1 }, ...settings },
    worker: { crawl: { resolve: { [HOOKS]: receiver.origin, [DOCS]: receiver.origin } } },
  });
  const api = service.api((await service.workspace({ set: set ?? {} })).apiKey);
  const webhook = (sent: object = {}) => body(api.post<Webhook>('/webhooks', { url: `${HOOKS}/x`, ...sent }));
  const deliveries = async (id: string, status = '') =>
    (
      await body(
        api.get<List<Delivery>>(`/webhooks/${id}/deliveries?limit=100${status && `&status=${status}`}`),
      )
    ).data;
  return {
    receiver,
    service,
    api,
    webhook,
    deliveries,
    clock,
    pass: (ms: number) => {
      ahead += ms;
    },
  };
}

const test = (api: ApiClient, { id }: Webhook) => body(api.post<Delivery>(`/webhooks/${id}/test`));

await onEachEngine('sends signed events to subscribed webhooks', async (t, engine) => {
  const { receiver, api, webhook, deliveries } = await begun(t, {
    engine,
    set: { 'limits.storageBytes': 1000, 'limits.agents': 2 },
  });
  const hook = await webhook();
  const other = await webhook({ events: ['job.completed'], description: 'Only ends' });
  const { id: agentId } = await api.agent();
  // The receiver is not a page: its response to GET has no readable text.
  const { jobId } = await body(
    api.post<{ jobId: string }>(`/agents/${agentId}/sources/url`, { url: `${DOCS}/page` }),
  );
  await body(api.post(`/agents/${agentId}/sources/text`, { title: 't', content: 'x'.repeat(950) }));
  await api.agent();
  await until('four messages', () => receiver.accepted.length >= 4);
  const [failed] = receiver.ofType('job.failed');
  t.match(failed?.body.data, { agentId, job: { id: jobId, status: 'failed', tasksFailedCount: 1 } });
  t.match(receiver.ofType('source.failed')[0]?.body.data, {
    jobId,
    target: `${DOCS}/page`,
    error: { code: String },
  });
  const near = receiver.ofType('quota.near').map((message) => message.body.data as Record<string, unknown>);
  t.same(
    near.sort((a, b) => Number(a.used) - Number(b.used)),
    [
      { allowance: 'agents', used: 2, limit: 2 },
      { allowance: 'storageBytes', used: 950, limit: 1000 },
    ],
  );
  for (const message of receiver.accepted) {
    t.equal(message.headers['webhook-signature'], expectedSignature(message, hook.secret));
    t.equal(message.headers['content-type'], 'application/json');
    t.ok(Math.abs(Number(message.headers['webhook-timestamp']) - Date.now() / 1000) < 120);
    t.type(message.body.timestamp, 'number');
  }
  await until('the log', async () => (await deliveries(hook.id, 'delivered')).length === 4);
  t.match(await deliveries(hook.id), [
    { status: 'delivered', attempts: 1, answer: { status: 200, body: 'thank you' } },
  ]);
  t.strictSame(await deliveries(other.id), []);
});

t.test('a receiver that fails for an hour loses nothing', async (t) => {
  const { receiver, service, api, webhook, deliveries, clock, pass } = await begun(t);
  const hook = await webhook();
  const failsUntil = clock.now() + 60 * MINUTE;
  receiver.answer = () => [clock.now() < failsUntil ? 503 : 200];
  const { id: agentId } = await api.agent();
  for (let n = 0; n < 3; n += 1)
    await body(api.post(`/agents/${agentId}/sources/url`, { url: `${DOCS}/${n}` }));
  for (let n = 0; n < 4; n += 1) await test(api, hook);
  // Two messages for each unreadable page.
  await body(api.post(`/webhooks/${hook.id}/test`));
  const oneMore = await api.post(`/webhooks/${hook.id}/test`);
  invalid(t, oneMore, 'webhookId');
  t.match(oneMore.text, /5 pending test messages/);
  const total = 11;
  await until('all messages are waiting', async () => (await deliveries(hook.id)).length === total);
  await until(
    'all have arrived',
    async () => {
      const open = (await deliveries(hook.id)).filter(({ status }) => status !== 'delivered');
      if (
        open.some(
          ({ status, nextAttemptAt }) => status !== 'pending' || (nextAttemptAt ?? 0) <= clock.now() / 1000,
        )
      )
        return false;
      const next = Math.max(...open.map(({ nextAttemptAt }) => nextAttemptAt ?? 0));
      if (open.length > 0) pass(next * 1000 + 1000 - clock.now());
      return open.length === 0;
    },
    120_000,
  );
  const ids = new Set(receiver.accepted.map(({ id }) => id));
  t.equal(ids.size, total, 'lost: 0');
  t.equal(receiver.accepted.length, total, 'and none came twice');
  t.ok(receiver.received.length > total * 5, `${receiver.received.length} attempts`);
  t.match(await body(api.get(`/webhooks/${hook.id}`)), { enabled: true, failingSince: null });
  const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
  t.match(metrics, new RegExp(`webhook_deliveries_total\\{outcome="delivered"\\} ${total}\\n`));
});

t.test(
  'a webhook without successful deliveries is disabled; enabled again, its messages can be redelivered',
  async (t) => {
    const { receiver, api, webhook, deliveries, pass } = await begun(t, {
      settings: { webhooks: { disableAfterHours: 1 } },
    });
    receiver.answer = () => [500];
    const hook = await webhook();
    const first = await test(api, hook);
    await until('a failure', async () => (await deliveries(hook.id))[0]?.error?.code === 'NOT_ACCEPTED');
    pass(61 * MINUTE);
    await until(
      'it is disabled',
      async () => !(await body(api.get<Webhook>(`/webhooks/${hook.id}`))).enabled,
    );
    t.match(await body(api.get(`/webhooks/${hook.id}`)), { disabledReason: 'FAILING' });
    t.match(await deliveries(hook.id), [{ id: first.id, status: 'failed' }]);
    invalid(t, await api.post(`/webhooks/${hook.id}/test`), 'webhookId');
    const again = `/webhooks/${hook.id}/deliveries/${first.id}/redeliver`;
    invalid(t, await api.post(again), 'webhookId');
    receiver.answer = () => [200];
    t.match(await body(api.patch(`/webhooks/${hook.id}`, { enabled: true })), {
      enabled: true,
      disabledReason: null,
    });
    t.equal((await api.post(again)).status, 202);
    await until('it has arrived', () => receiver.accepted.length === 1);
    t.equal(receiver.accepted[0]?.id, first.id, 'under the same id');

    receiver.answer = () => [410];
    await test(api, hook);
    await until('it is gone', async () => !(await body(api.get<Webhook>(`/webhooks/${hook.id}`))).enabled);
    t.match(await body(api.get(`/webhooks/${hook.id}`)), { disabledReason: 'GONE' });
  },
);

t.test('after a rotation both secrets sign for 24 hours', async (t) => {
  const { receiver, api, webhook, pass } = await begun(t);
  const before = await webhook();
  const { secret } = await body(api.post<Webhook>(`/webhooks/${before.id}/rotate`));
  t.not(secret, before.secret);
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  await test(api, before);
  await until('a message', () => receiver.accepted.length === 1);
  const [both] = receiver.accepted;
  if (!both) throw new Error('a message was expected');
  const again = await api.post(`/webhooks/${before.id}/rotate`);
  invalid(t, again, 'webhookId');
  t.match(
    again.text,
    /rotated less than 24 hours ago: wait until the previous secret expires at \d{4}-/,
    'the secret of before is not dropped',
  );
  const signatures = [secret, before.secret].map((one) => expectedSignature(both, one));
  t.equal(both.headers['webhook-signature'], signatures.join(' '));
  pass(25 * 60 * MINUTE);
  await test(api, before);
  await until('another one', () => receiver.accepted.length === 2);
  const [, one] = receiver.accepted;
  t.equal(one?.headers['webhook-signature'], one && expectedSignature(one, secret));
  t.match(await body(api.get(`/webhooks/${before.id}`)), { previousSecretUntil: null });
  const together = await Promise.all([0, 1].map(() => api.post(`/webhooks/${before.id}/rotate`)));
  t.same(together.map(({ status }) => status).sort(), [200, 400], 'of two at once, one rotates');
});

await onEachEngine('announces the outcome of answers', async (t, engine) => {
  const { receiver, api, webhook } = await begun(t, { engine });
  await webhook({ events: ['answer.completed'] });
  const chat = await chatWith(api);
  const { agentId } = chat;
  const question = 'When does the library open?';
  await body(
    api.post(`/agents/${agentId}/sources/qna`, { title: 'Hours', questions: [question], answer: 'At nine.' }),
  );
  const known = await chat.say(question);
  const unknown = await chat.say('Which paint covers rust on bicycles?');
  await chat.say('Hello!');
  await until('two messages', () => receiver.accepted.length >= 2);
  const outcomes = new Map(receiver.accepted.map(({ body: { data } }) => [data.messageId, data]));
  for (const [answer, outcome] of [
    [known, 'answered'],
    [unknown, 'unanswered'],
  ] as const) {
    const { conversationId } = answer.metadata;
    t.strictSame(outcomes.get(answer.id), { agentId, conversationId, messageId: answer.id, outcome });
  }
  t.equal(outcomes.size, 2, 'small talk has no outcome');
});

await onEachEngine('only their own workspace can create, change and delete webhooks', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const api = await service.client();
  const stranger = await service.client();
  const hook = await body(api.post<Webhook>('/webhooks', { url: 'hooks.acme.com/a' }));
  t.match(hook, {
    url: 'https://hooks.acme.com/a',
    enabled: true,
    events: webhookEventTypes,
  });
  t.notOk(JSON.stringify(await body(api.get('/webhooks'))).includes('whsec_'), 'the secret is shown once');
  for (const url of [
    'http://localhost/x',
    'http://10.1.2.3/x',
    'ftp://a.example',
    'http://user@a.example',
    '',
  ])
    invalid(t, await api.post('/webhooks', { url }), 'url');
  const reasons = {
    '': 'must not be empty',
    [`${HOOKS}/${'x'.repeat(3000)}`]: 'must be at most 2048 characters',
  };
  for (const [url, reason] of Object.entries(reasons)) {
    const { text } = await api.post('/webhooks', { url });
    t.strictSame(JSON.parse(text).error.details?.fieldErrors, { url: [reason] });
  }
  invalid(t, await api.post('/webhooks', { url: HOOKS, events: ['job.exploded'] }), 'events');
  invalid(t, await api.post('/webhooks', { url: HOOKS, events: [] }), 'events');
  invalid(t, await api.post('/webhooks', { url: 'http://127.0.0.1/', events: [] }), 'url', 'events');
  const at = `/webhooks/${hook.id}`;
  t.match(await body(api.patch(at, { events: ['quota.near'], url: `${HOOKS}/b` })), {
    events: ['quota.near'],
    url: `${HOOKS}/b`,
  });
  invalid(t, await api.patch(at, {}));
  invalid(t, await api.patch(at, { url: 'http://127.0.0.1/' }), 'url');
  invalid(t, await api.patch(at, { url: 'http://127.0.0.1/', enabled: 1 }), 'url', 'enabled');
  for (const [method, path, sent] of [
    ['GET', at, undefined],
    ['PATCH', at, { enabled: false }],
    ['DELETE', at, undefined],
    ['POST', `${at}/test`, undefined],
    ['POST', `${at}/rotate`, undefined],
    ['GET', `${at}/deliveries`, undefined],
    ['POST', `${at}/deliveries/${hook.id}/redeliver`, undefined],
  ] as const) {
    refused(t, await stranger.send(method, path, sent), 404, 'RESOURCE_NOT_FOUND');
    refused(t, await api.send(method, path.replace(hook.id, 'x'), sent), 404, 'RESOURCE_NOT_FOUND');
  }
  const key = { headers: { 'idempotency-key': 'once' } };
  const [one, two] = await Promise.all([0, 1].map(() => api.post<Webhook>(`${at}/rotate`, undefined, key)));
  t.equal(one?.text, two?.text, 'a rotation that comes twice is one');
  for (let n = 1; n < 20; n += 1) await body(api.post('/webhooks', { url: HOOKS }));
  const tooMany = { headers: { 'idempotency-key': 'one too many' } };
  for (let n = 0; n < 2; n += 1) invalid(t, await api.post('/webhooks', { url: HOOKS }, tooMany), 'url');
  const page = await body(api.get<List<Webhook>>('/webhooks?limit=15'));
  t.match(page.pagination, { total: 20, hasMore: true });
  const rest = await body(api.get<List<Webhook>>(`/webhooks?cursor=${page.pagination.cursor}`));
  t.equal(rest.data.length, 5);
  t.strictSame(await body(api.delete(at)), { deleted: true });
  refused(t, await api.get(at), 404, 'RESOURCE_NOT_FOUND');
});
