import { newApiKey } from '../../../core/workspaces/api-key.js';
import { refused } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { addKey, updateWorkspace } from '../../support/workspace.js';

const service = await startTestService(t, { settings: { auth: { cacheTtlSeconds: 1 } } });
const nobody = service.api(null);
const header = (authorization: string) => nobody.get('/agents', { headers: { authorization } });

t.test('a missing header, or one without "Bearer ", is a missing key', async (t) => {
  const { apiKey } = await service.workspace();
  refused(t, await nobody.get('/agents'), 401, 'AUTH_MISSING_API_KEY');
  const wrong = [
    '',
    'Bearer',
    apiKey,
    `bearer ${apiKey}`,
    `BEARER ${apiKey}`,
    `Bearer\t${apiKey}`,
    `Basic ${apiKey}`,
    `Token ${apiKey}`,
  ];
  for (const value of wrong) refused(t, await header(value), 401, 'AUTH_MISSING_API_KEY');
});

t.test('an unknown key is an invalid key', async (t) => {
  const { apiKey } = await service.workspace();
  const last = apiKey.endsWith('A') ? 'B' : 'A';
  const wrong = [
    'nonsense',
    newApiKey(),
    `${apiKey}x`,
    `${apiKey.slice(0, -1)}${last}`,
    ` ${apiKey}`,
    `${apiKey} x`,
    'x'.repeat(4000),
  ];
  for (const key of wrong) refused(t, await header(`Bearer ${key}`), 401, 'AUTH_INVALID_API_KEY');
  t.equal((await header(`Bearer ${apiKey}`)).status, 200);
});

t.test('API access needs active billing and a plan that includes it', async (t) => {
  const refusedFor = async (options: Parameters<typeof service.workspace>[0]) =>
    refused(t, await (await service.client(options)).get('/agents'), 403, 'SUBSCRIPTION_PLAN_REQUIRED');
  await refusedFor({ plan: 'free' });
  await refusedFor({ plan: 'business', set: { billingActive: false } });
  await refusedFor({ plan: 'starter', set: { 'features.apiAccess': false } });
  await refusedFor({ plan: 'a plan that was taken out' });
  for (const plan of ['starter', 'business'])
    t.equal((await (await service.client({ plan })).get('/agents')).status, 200);
  const exception = await service.client({ plan: 'free', set: { 'features.apiAccess': true } });
  t.equal((await exception.get('/agents')).status, 200);
  const unpaid = await service.client({
    plan: 'free',
    set: { 'features.apiAccess': true, billingActive: false },
  });
  refused(t, await unpaid.get('/agents'), 403, 'SUBSCRIPTION_PLAN_REQUIRED');
});

t.test('several keys of a workspace see the same agents; keys of another format work too', async (t) => {
  const { id, apiKey } = await service.workspace();
  const second = await addKey(service.store.workspaces, id, 'a key that an operator chose');
  const agent = await service.api(apiKey).agent();
  t.equal((await service.api(second.apiKey).get(`/agents/${agent.id}`)).status, 200);
});

t.test('a revoked key is rejected within the cache time; other keys keep working', async (t) => {
  const { workspaces } = service.store;
  const { id, apiKey, keyId } = await service.workspace();
  const sister = await addKey(workspaces, id);
  t.equal((await service.api(apiKey).get('/agents')).status, 200);
  t.ok(await workspaces.revokeKey(id, keyId, 1));
  const answer = await until('the revocation', async () => {
    const answer = await service.api(apiKey).get('/agents');
    return answer.status !== 200 && answer;
  });
  refused(t, answer, 401, 'AUTH_INVALID_API_KEY');
  t.equal((await service.api(sister.apiKey).get('/agents')).status, 200);
});

t.test('a plan change takes effect within the cache time, in both directions', async (t) => {
  const { id, apiKey } = await service.workspace({ plan: 'free' });
  const status = async () => (await service.api(apiKey).get('/agents')).status;
  t.equal(await status(), 403);
  await updateWorkspace(service.store.workspaces, id, { plan: 'starter' });
  await until('the better plan', async () => (await status()) === 200);
  await updateWorkspace(service.store.workspaces, id, { set: { billingActive: false } });
  await until('the unpaid bill', async () => (await status()) === 403);
});

t.test('without a cache a revocation takes effect at once', async (t) => {
  const { store, api, workspace } = await startTestService(t, { settings: { auth: { cacheTtlSeconds: 0 } } });
  const { id, apiKey, keyId } = await workspace();
  t.equal((await api(apiKey).get('/agents')).status, 200);
  await store.workspaces.revokeKey(id, keyId, 1);
  refused(t, await api(apiKey).get('/agents'), 401, 'AUTH_INVALID_API_KEY');
});

t.test('the health check needs no key', async (t) => {
  for (const api of [nobody, service.api('nonsense')]) {
    const { status, body } = await api.get('/health');
    t.equal(status, 200);
    t.strictSame(body, { status: 'ok' });
  }
  refused(t, await nobody.post('/health'), 401, 'AUTH_MISSING_API_KEY');
});
