import type { Test } from 'tap';
import {
  type Answer,
  type ApiClient,
  body,
  type ErrorBody,
  invalid,
  type List,
  refused,
} from '../../support/api-client.js';
import { chatWith } from '../../support/chat.js';
import { openStream } from '../../support/event-stream.js';
import { gate, saysAround, scriptedAnswerer } from '../../support/scripted-answerer.js';
import { onEachEngine, startTestService, type TestServiceOptions } from '../../support/service.js';
import t from '../../support/t.js';

interface Key {
  id: string;
  name: string;
  scope: string;
  agentIds: string[] | null;
  expiresAt: number | null;
  createdAt: number;
  lastUsedAt: number | null;
  prefix: string;
  current: boolean;
}
type NewKey = Key & { secret: string };

const ABSENT = '01890000-0000-7000-8000-000000000000';
const noCache = { settings: { auth: { cacheTtlSeconds: 0 } } };

async function keyed(t: Test, options: TestServiceOptions = {}) {
  const service = await startTestService(t, { ...noCache, ...options });
  const { apiKey, keyId } = await service.workspace();
  const owner = service.api(apiKey);
  const create = (sent: object) => body(owner.post<NewKey>('/keys', { name: 'k', scope: 'full', ...sent }));
  return { service, owner, keyId, create };
}

await onEachEngine(
  'a key is created, listed and deleted, and its secret is shown once',
  async (t, engine) => {
    const lines: object[] = [];
    const onInfo = (fields: object, message: string) => {
      if (message.startsWith('API key')) lines.push({ ...fields, message });
    };
    const { service, owner, keyId, create } = await keyed(t, { engine, onInfo });
    const agents = [await owner.agent(), await owner.agent()].map(({ id }) => id);
    const expiresAt = Math.floor(Date.now() / 1000) + 3600;
    const { secret, ...made } = await create({
      name: '  Reports  ',
      scope: 'read',
      agentIds: agents.map((id) => id.toUpperCase()),
      expiresAt,
    });
    t.match(made, { name: 'Reports', scope: 'read', agentIds: agents, expiresAt, current: false });
    t.strictSame([made.prefix, made.lastUsedAt], [secret.slice(0, 8), null]);

    t.equal((await service.api(secret).get(`/agents/${agents[0]}`)).status, 200);
    const listed = await owner.get<List<Key>>('/keys');
    t.strictSame(
      listed.body.data.map(({ id, current }) => [id, current]),
      [
        [made.id, false],
        [keyId, true],
      ],
    );
    t.match(listed.body.data[1], { scope: 'full', agentIds: null, expiresAt: null });
    t.notOk(listed.text.includes(secret) || listed.text.includes('hash'));
    const first = await body(owner.get<List<Key>>('/keys?limit=1'));
    t.match(first.pagination, { hasMore: true, total: 2 });
    const second = await body(owner.get<List<Key>>(`/keys?limit=1&cursor=${first.pagination.cursor}`));
    t.equal(second.data[0]?.id, keyId);

    await owner.delete(`/agents/${agents[0]}`);
    t.strictSame((await body(owner.get<List<Key>>('/keys'))).data[0]?.agentIds, [agents[1]]);
    await owner.delete(`/agents/${agents[1]}`);
    t.strictSame((await body(owner.get<List<Key>>('/keys'))).data[0]?.agentIds, []);
    t.strictSame((await body(service.api(secret).get<List<object>>('/agents'))).data, [], 'it opens nothing');

    t.strictSame(await body(owner.delete(`/keys/${made.id.toUpperCase()}`)), { deleted: true });
    refused(t, await service.api(secret).get('/agents'), 401, 'AUTH_INVALID_API_KEY');
    refused(t, await owner.delete(`/keys/${made.id}`), 404, 'RESOURCE_NOT_FOUND');
    refused(t, await owner.delete('/keys/x'), 404, 'RESOURCE_NOT_FOUND');
    t.equal((await body(owner.get<List<Key>>('/keys'))).pagination.total, 1);
    t.match(lines, [
      { message: 'API key created', keyId: made.id, byKeyId: keyId },
      { message: 'API key deleted', keyId: made.id, byKeyId: keyId },
    ]);
  },
);

await onEachEngine('every problem of a new key is reported by its field', async (t, engine) => {
  const { service, owner, create } = await keyed(t, { engine });
  const { id } = await owner.agent();
  const foreign = await (await service.client()).agent();
  const now = Math.floor(Date.now() / 1000);
  const post = (sent: object) => owner.post('/keys', { name: 'k', scope: 'full', ...sent });
  for (const agentIds of [[], [ABSENT], [foreign.id], [id, id], [id, id.toUpperCase()], ['x'], id])
    invalid(t, await post({ agentIds }), 'agentIds');
  for (const expiresAt of [now, now - 1, now + 10.1 * 366 * 86_400, now + 0.5, 'x'])
    invalid(t, await post({ expiresAt }), 'expiresAt');
  for (const name of ['', '  ', 'x'.repeat(101), 1]) invalid(t, await post({ name }), 'name');
  for (const scope of ['write', null]) invalid(t, await post({ scope }), 'scope');
  invalid(
    t,
    await owner.post('/keys', { agentIds: [ABSENT], expiresAt: now }),
    'agentIds',
    'expiresAt',
    'name',
    'scope',
  );
  await create({ agentIds: null, expiresAt: null, name: '😀'.repeat(100) });
  await create({ expiresAt: now + 9.9 * 365 * 86_400 });
  for (let made = 3; made < 100; made += 1) await create({});
  invalid(t, await post({}), 'name');
  t.equal((await body(owner.get<List<Key>>('/keys'))).pagination.total, 100);
});

await onEachEngine('an expired key is refused with its own code, before the plan', async (t, engine) => {
  let now = Date.now();
  const { service, create } = await keyed(t, { engine, clock: { now: () => now } });
  const { secret } = await create({ expiresAt: Math.floor(now / 1000) + 60 });
  const api = service.api(secret);
  t.equal((await api.get('/agents')).status, 200);
  const outlives = (expiresAt: number | null) => api.post('/keys', { name: 'k', scope: 'read', expiresAt });
  for (const expiresAt of [null, Math.floor(now / 1000) + 61])
    invalid(t, await outlives(expiresAt), 'expiresAt');
  t.equal((await outlives(Math.floor(now / 1000) + 60)).status, 201);
  now += 61_000;
  refused(t, await api.get('/agents'), 401, 'AUTH_EXPIRED_API_KEY');
  refused(t, await api.get('/nothing-here'), 401, 'AUTH_EXPIRED_API_KEY');
});

t.test('the checks come in the order of the contract', async (t) => {
  const { service, create } = await keyed(t);
  const { secret } = await create({ scope: 'chat' });
  const api = service.api(secret);
  refused(t, await api.post('/nothing-here'), 404, 'RESOURCE_NOT_FOUND');
  const out = await api.post<ErrorBody>(`/agents/${ABSENT}/sources/text`, 'no object');
  refused(t, out, 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
  t.match(out.body.error.details, { required: 'full' });
  const read = await api.get<ErrorBody>(`/agents/${ABSENT}/sources`);
  t.match(read.body.error.details, { required: 'read' });
  refused(t, await api.post(`/agents/${ABSENT}/chat`, 'no object'), 404, 'AGENT_NOT_FOUND');
});

await onEachEngine('two processes cannot delete the last two full keys', async (t, engine) => {
  const { service, owner, keyId, create } = await keyed(t, { engine });
  const beside = await service.beside();
  const agent = await owner.agent();
  // These keys are full, but limited.
  const expiresAt = Math.floor(Date.now() / 1000) + 3600;
  const { secret } = await create({ expiresAt });
  await create({ agentIds: [agent.id] });
  await create({ scope: 'read' });
  let last = { id: keyId, api: owner };
  for (let round = 0; round < 5; round += 1) {
    const made = await body(last.api.post<NewKey>('/keys', { name: 'second', scope: 'full' }));
    const { id } = made;
    const answers = await Promise.all([
      service.api(secret).delete(`/keys/${last.id}`),
      beside.api(secret).delete(`/keys/${id}`),
    ]);
    const [kept] = answers.flatMap(({ status }, n) => (status === 200 ? [] : [n]));
    t.strictSame(answers.map(({ status }) => status).sort(), [200, 400]);
    invalid(t, answers[kept ?? 0] as Answer<unknown>, 'keyId');
    if (kept !== 0) last = { id, api: service.api(made.secret) };
  }
  const { data } = await body(service.api(secret).get<List<Key>>('/keys'));
  const unlimited = data.filter(
    ({ scope, agentIds, expiresAt: end }) => scope === 'full' && agentIds === null && end === null,
  );
  t.strictSame(
    unlimited.map(({ id }) => id),
    [last.id],
  );
});

t.test('streams end when their key is deleted or expires', async (t) => {
  let now = Date.now();
  const answerer = scriptedAnswerer();
  const { service, owner, create } = await keyed(t, { answerer, clock: { now: () => now } });
  const chat = await chatWith(owner);
  const deletable = await create({ scope: 'chat' });
  const expiring = await create({ scope: 'chat', expiresAt: Math.floor(now / 1000) + 60 });
  const waiting = gate();
  answerer.play(saysAround('before', waiting, 'after'));
  const ask = ({ secret: apiKey }: NewKey) =>
    openStream({
      baseUrl: service.baseUrl,
      apiKey,
      path: chat.at('/chat'),
      method: 'POST',
      body: { message: 'Where?' },
    });
  const streams = [await ask(deletable), await ask(expiring)];
  for (const stream of streams) await stream.event(({ type }) => type === 'text-delta');
  await owner.delete(`/keys/${deletable.id}`);
  now += 61_000;
  for (const stream of streams) {
    await stream.over;
    t.notOk(stream.done, 'it ends early');
  }
  const conversations = async (api: ApiClient) => api.get(chat.at('/conversations'));
  refused(t, await conversations(service.api(deletable.secret)), 401, 'AUTH_INVALID_API_KEY');
  refused(t, await conversations(service.api(expiring.secret)), 401, 'AUTH_EXPIRED_API_KEY');
  waiting.open();
});
