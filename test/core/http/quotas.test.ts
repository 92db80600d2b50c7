import { type ApiClient, body, refused } from '../../support/api-client.js';
import { startTestService, type TestService } from '../../support/service.js';
import t from '../../support/t.js';
import { updateWorkspace } from '../../support/workspace.js';

const bytesUsed = async ({ store }: TestService, id: string) =>
  (await store.workspaces.find(id))?.storageBytes;
const text = (api: ApiClient, agentId: string, content: string) =>
  api.post<{ documentId: string }>(`/agents/${agentId}/sources/text`, { title: 't', content });

t.test('storage is counted in UTF-8 bytes, exactly', async (t) => {
  const service = await startTestService(t);
  const { id, apiKey } = await service.workspace({ set: { 'limits.storageBytes': 20 } });
  const api = service.api(apiKey);
  const { id: agentId } = await api.agent();
  refused(t, await text(api, agentId, 'x'.repeat(21)), 403, 'QUOTA_STORAGE_LIMIT');
  refused(t, await text(api, agentId, 'é'.repeat(11)), 403, 'QUOTA_STORAGE_LIMIT');
  t.equal((await text(api, agentId, 'é'.repeat(5))).status, 201);
  t.equal(await bytesUsed(service, id), 10);
  const entry = (questions: string[], answer: string) =>
    api.post<{ documentId: string }>(`/agents/${agentId}/sources/qna`, { title: 't', questions, answer });
  refused(t, await entry(['12345', '6'], 'answer'), 403, 'QUOTA_STORAGE_LIMIT');
  const { documentId } = await body(entry(['1234'], 'answer'));
  t.equal(await bytesUsed(service, id), 20);
  refused(t, await text(api, agentId, 'x'), 403, 'QUOTA_STORAGE_LIMIT');
  await body(api.delete(`/agents/${agentId}/sources/${documentId}`));
  t.equal((await text(api, agentId, 'x'.repeat(10))).status, 201);
});

t.test('a rejected request leaves nothing behind', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace({ set: { 'limits.storageBytes': 5 } });
  const api = service.api(apiKey);
  const { id } = await api.agent();
  refused(t, await text(api, id, 'too long'), 403, 'QUOTA_STORAGE_LIMIT');
  t.strictSame(await body(api.get(`/agents/${id}/train`)), {
    status: 'idle',
    documentCount: 0,
    lastTrainedAt: null,
    activeJob: null,
  });
});

t.test('limits are those of the plan, read anew for each request', async (t) => {
  const service = await startTestService(t);
  const { id, apiKey } = await service.workspace({ plan: 'starter' });
  const api = service.api(apiKey);
  await api.agent();
  const { id: agentId } = await api.agent();
  refused(t, await api.post('/agents', { name: 'x' }), 403, 'QUOTA_CHATBOT_LIMIT');
  for (let n = 0; n < 4; n += 1) t.equal((await text(api, agentId, 'x'.repeat(262_144))).status, 201);
  refused(t, await text(api, agentId, 'x'), 403, 'QUOTA_STORAGE_LIMIT');
  await updateWorkspace(service.store.workspaces, id, {
    set: { 'limits.agents': 3, 'limits.storageBytes': 1_048_577 },
  });
  t.equal((await api.post('/agents', { name: 'x' })).status, 201);
  t.equal((await text(api, agentId, 'x')).status, 201);
  await updateWorkspace(service.store.workspaces, id, {
    set: { 'limits.agents': 0, 'limits.storageBytes': 0 },
  });
  refused(t, await api.post('/agents', { name: 'x' }), 403, 'QUOTA_CHATBOT_LIMIT');
  t.equal((await api.get(`/agents/${agentId}`)).status, 200, 'what is there stays');
});
