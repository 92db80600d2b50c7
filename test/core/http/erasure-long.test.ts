import { v7 as uuidv7 } from 'uuid';
import { actors } from '../../support/agents.js';
import { body, type List } from '../../support/api-client.js';
import type { Message } from '../../support/chat.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

const CONVERSATIONS = 45;
/** Less than the lease, and together more. */
const STEP_MS = 100_000;

await onEachEngine('a long erasure examines deliveries once, and keeps its lease', async (t, engine) => {
  let passed = 0;
  const clock = { now: () => Date.now() + passed };
  const settings = { auth: { cacheTtlSeconds: 0 } };
  const service = await startTestService(t, { engine, settings, clock });
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const at = `/agents/${(await api.agent()).id}`;
  const hook = await body(
    api.post<{ id: string }>('/webhooks', {
      url: 'https://hooks.acme.example/x',
      events: ['answer.completed'],
    }),
  );
  const ask = (userId: string) =>
    body(api.post<Message>(`${at}/chat`, { message: 'Where is the warehouse?', userId, stream: false }));
  for (let n = 0; n < CONVERSATIONS; n += 1) await ask('erased');
  await ask('stays');
  const deliveries = async () =>
    (await body(api.get<List<object>>(`/webhooks/${hook.id}/deliveries?limit=100`))).pagination.total;
  await until('all deliveries', async () => (await deliveries()) === CONVERSATIONS + 1);

  const { erasures } = service.store;
  const { eraseDeliveries, renew } = erasures;
  let examinations = 0;
  let renewals = 0;
  let taken = 0;
  erasures.eraseDeliveries = (...args) => {
    examinations += 1;
    return eraseDeliveries(...args);
  };
  erasures.renew = async (...args) => {
    renewals += 1;
    passed += STEP_MS;
    const until = await renew(...args);
    if (await erasures.claim(clock.now(), clock.now() + 1)) taken += 1;
    return until;
  };
  const { id } = await body(api.post<{ id: string }>('/visitors/erase', { userId: 'erased', all: true }));
  const end = await until('the end of the erasure', async () => {
    const found = await body(api.get<{ status: string; counts: Record<string, number> }>(`/erasures/${id}`));
    return found.status === 'done' && found;
  });
  t.match(end.counts, { conversations: CONVERSATIONS, deliveries: CONVERSATIONS });
  t.equal(await deliveries(), 1, 'that of the other person');
  t.equal(examinations, 2, 'before and after the conversations are deleted');
  t.ok(renewals * STEP_MS > 240_000, `${renewals} renewals`);
  t.equal(taken, 0, 'no other process could take it over');
});

t.test('an erasure whose process has died is taken over', async (t) => {
  const { store, workspaceId, agentId } = await actors(t);
  const { erasures } = store;
  const personHash = 'h'.repeat(64);
  const person = new Uint8Array([1]);
  const kind = 'userId';
  const row = {
    id: uuidv7(),
    workspaceId,
    kind,
    person,
    personHash,
    agentIds: [agentId],
    createdAt: 1,
  } as const;
  await erasures.add({ ...row, agentIds: [agentId] }, null);
  const first = await erasures.claim(1000, 2000);
  t.equal(await erasures.claim(1999, 3000), null);
  t.equal(await erasures.renew(row.id, first?.leaseUntilMs ?? 0, 3000), 3000);
  t.equal(await erasures.claim(2999, 4000), null);
  const second = await erasures.claim(3000, 5000);
  t.equal(second?.id, row.id);
  t.equal(await erasures.renew(row.id, 3000, 6000), null, 'the first process stops');
});
