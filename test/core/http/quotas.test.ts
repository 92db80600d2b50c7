import t from 'tap';
import { type Agent, type ApiClient, body, type List, refused, type Source, walk } from '../../support/api-client.js';
import { onEachEngine, startTestService, type TestService } from '../../support/service.js';
import { updateWorkspace } from '../../support/workspace.js';

const codes = (answers: { status: number; text: string }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
const bytesUsed = async ({ store }: TestService, id: string) => (await store.workspaces.find(id))?.storageBytes;
const text = (api: ApiClient, agentId: string, content: string) =>
  api.post<{ documentId: string }>(`/agents/${agentId}/sources/text`, { title: 't', content });

await onEachEngine('fifty creations at once, by two processes, make exactly the ten agents that are allowed', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const beside = await service.beside();
  const { id, apiKey } = await service.workspace({ set: { 'limits.agents': 10 } });
  const clients = [service.api(apiKey), beside.api(apiKey)] as const;
  const api = clients[0];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => clients[n % 2 === 0 ? 0 : 1].post<Agent>('/agents', { name: `${n}` })),
  );
  t.equal(codes(answers, 201), 10);
  for (const answer of answers.filter(({ status }) => status !== 201)) refused(t, answer, 403, 'QUOTA_CHATBOT_LIMIT');
  t.equal((await body(api.get<List<Agent>>('/agents'))).pagination.total, 10);
  t.equal((await walk<Agent>(api, '/agents', 7)).length, 10);

  const made = answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : []));
  await Promise.all(made.slice(0, 4).map((agentId) => api.delete(`/agents/${agentId}`)));
  const again = await Promise.all(Array.from({ length: 8 }, () => api.post('/agents', { name: 'x' })));
  t.equal(codes(again, 201), 4, 'what is deleted is free again');
  t.equal((await service.store.workspaces.find(id))?.agents, 10);
});

await onEachEngine('texts at once, by two processes, never exceed the storage allowance; what is deleted is released', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const beside = await service.beside();
  const { id, apiKey } = await service.workspace({ set: { 'limits.storageBytes': 1000 } });
  const clients = [service.api(apiKey), beside.api(apiKey)] as const;
  const api = clients[0];
  const agents = [await api.agent(), await api.agent(), await api.agent()];
  const content = 'é'.repeat(35);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => text(clients[n % 2 === 0 ? 0 : 1], agents[n % 3]?.id ?? '', content)),
  );
  t.equal(codes(answers, 201), 14, '14 times 70 bytes');
  for (const answer of answers.filter(({ status }) => status !== 201)) refused(t, answer, 403, 'QUOTA_STORAGE_LIMIT');
  t.equal(await bytesUsed(service, id), 980);

  const [first] = agents;
  const path = `/agents/${first?.id}/sources`;
  const sources = await walk<Source>(api, path, 100);
  const [one] = sources;
  const deletions = await Promise.all(Array.from({ length: 5 }, () => api.delete(`${path}/${one?.id}`)));
  t.equal(codes(deletions, 200), 1, 'deleted once, released once');
  t.equal(await bytesUsed(service, id), 910);
  await body(api.delete(`/agents/${first?.id}`));
  t.equal(await bytesUsed(service, id), 980 - 70 * sources.length);
  for (const agent of agents.slice(1)) await body(api.delete(`/agents/${agent.id}`));
  t.equal(await bytesUsed(service, id), 0);
});

t.test('storage is counted in UTF-8 bytes, to the last one', async (t) => {
  const service = await startTestService(t);
  const { id, apiKey } = await service.workspace({ set: { 'limits.storageBytes': 20 } });
  const api = service.api(apiKey);
  const { id: agentId } = await api.agent();
  refused(t, await text(api, agentId, 'x'.repeat(21)), 403, 'QUOTA_STORAGE_LIMIT');
  refused(t, await text(api, agentId, 'é'.repeat(11)), 403, 'QUOTA_STORAGE_LIMIT');
  t.equal((await text(api, agentId, 'é'.repeat(5))).status, 201);
  t.equal(await bytesUsed(service, id), 10);
  const entry = (questions: string[], answer: string) => api.post<{ documentId: string }>(`/agents/${agentId}/sources/qna`, { title: 't', questions, answer });
  refused(t, await entry(['12345', '6'], 'answer'), 403, 'QUOTA_STORAGE_LIMIT');
  const { documentId } = await body(entry(['1234'], 'answer'));
  t.equal(await bytesUsed(service, id), 20);
  refused(t, await text(api, agentId, 'x'), 403, 'QUOTA_STORAGE_LIMIT');
  await body(api.delete(`/agents/${agentId}/sources/${documentId}`));
  t.equal((await text(api, agentId, 'x'.repeat(10))).status, 201);
});

t.test('a refusal leaves nothing behind', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace({ set: { 'limits.storageBytes': 5 } });
  const api = service.api(apiKey);
  const { id } = await api.agent();
  refused(t, await text(api, id, 'too long'), 403, 'QUOTA_STORAGE_LIMIT');
  t.strictSame(await body(api.get(`/agents/${id}/train`)), { status: 'idle', documentCount: 0, lastTrainedAt: null, activeJob: null });
});

t.test('allowances are those of the plan, read anew in each request', async (t) => {
  const service = await startTestService(t);
  const { id, apiKey } = await service.workspace({ plan: 'starter' });
  const api = service.api(apiKey);
  await api.agent();
  const { id: agentId } = await api.agent();
  refused(t, await api.post('/agents', { name: 'x' }), 403, 'QUOTA_CHATBOT_LIMIT');
  for (let n = 0; n < 4; n += 1) t.equal((await text(api, agentId, 'x'.repeat(262_144))).status, 201);
  refused(t, await text(api, agentId, 'x'), 403, 'QUOTA_STORAGE_LIMIT');
  await updateWorkspace(service.store.workspaces, id, { set: { 'limits.agents': 3, 'limits.storageBytes': 1_048_577 } });
  t.equal((await api.post('/agents', { name: 'x' })).status, 201);
  t.equal((await text(api, agentId, 'x')).status, 201);
  await updateWorkspace(service.store.workspaces, id, { set: { 'limits.agents': 0, 'limits.storageBytes': 0 } });
  refused(t, await api.post('/agents', { name: 'x' }), 403, 'QUOTA_CHATBOT_LIMIT');
  t.equal((await api.get(`/agents/${agentId}`)).status, 200, 'what is there stays');
});
