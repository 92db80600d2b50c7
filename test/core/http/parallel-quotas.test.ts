import {
  type Agent,
  type ApiClient,
  body,
  type List,
  refused,
  type Source,
  walk,
} from '../../support/api-client.js';
import { onEachEngine, startTestService, type TestService } from '../../support/service.js';

const codes = (answers: { status: number; text: string }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
const bytesUsed = async ({ store }: TestService, id: string) =>
  (await store.workspaces.find(id))?.storageBytes;
const text = (api: ApiClient, agentId: string, content: string) =>
  api.post<{ documentId: string }>(`/agents/${agentId}/sources/text`, { title: 't', content });

await onEachEngine(
  'fifty concurrent creations in two processes create exactly the ten allowed agents',
  async (t, engine) => {
    const service = await startTestService(t, { engine });
    const beside = await service.beside();
    const { id, apiKey } = await service.workspace({ set: { 'limits.agents': 10 } });
    const clients = [service.api(apiKey), beside.api(apiKey)] as const;
    const api = clients[0];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        clients[n % 2 === 0 ? 0 : 1].post<Agent>('/agents', { name: `${n}` }),
      ),
    );
    t.equal(codes(answers, 201), 10);
    for (const answer of answers.filter(({ status }) => status !== 201))
      refused(t, answer, 403, 'QUOTA_CHATBOT_LIMIT');
    t.equal((await body(api.get<List<Agent>>('/agents'))).pagination.total, 10);
    t.equal((await walk<Agent>(api, '/agents', 7)).length, 10);

    const made = answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : []));
    const doomed = made.slice(0, 4);
    const deletions = await Promise.all(
      [...doomed, ...doomed].map((agentId, n) => clients[n < 4 ? 0 : 1].delete(`/agents/${agentId}`)),
    );
    t.equal(codes(deletions, 200), 4, 'each is deleted once');
    t.equal(codes(deletions, 404), 4);
    const again = await Promise.all(Array.from({ length: 8 }, () => api.post('/agents', { name: 'x' })));
    t.equal(codes(again, 201), 4, 'what is deleted is free again');
    t.equal((await service.store.workspaces.find(id))?.agents, 10);
  },
);

await onEachEngine(
  'concurrent texts in two processes never exceed the storage allowance, and deletions release it',
  async (t, engine) => {
    const service = await startTestService(t, { engine });
    const beside = await service.beside();
    const { id, apiKey } = await service.workspace({ set: { 'limits.storageBytes': 1000 } });
    const clients = [service.api(apiKey), beside.api(apiKey)] as const;
    const api = clients[0];
    const agents = [await api.agent(), await api.agent(), await api.agent()];
    const content = 'é'.repeat(35);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        text(clients[n % 2 === 0 ? 0 : 1], agents[n % 3]?.id ?? '', content),
      ),
    );
    t.equal(codes(answers, 201), 14, '14 times 70 bytes');
    for (const answer of answers.filter(({ status }) => status !== 201))
      refused(t, answer, 403, 'QUOTA_STORAGE_LIMIT');
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
  },
);

await onEachEngine('deleting an agent during its training leaks no storage', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const beside = await service.beside();
  const { id, apiKey } = await service.workspace();
  const clients = [service.api(apiKey), beside.api(apiKey)] as const;
  const [api] = clients;
  const { id: agentId } = await api.agent();
  const learning = Array.from({ length: 20 }, (_, n) => text(clients[n % 2 === 0 ? 0 : 1], agentId, 'x'));
  const [deleted, ...answers] = await Promise.all([api.delete(`/agents/${agentId}`), ...learning]);
  t.equal(deleted?.status, 200);
  t.equal(codes(answers, 201) + codes(answers, 404), 20);
  t.equal(await bytesUsed(service, id), 0);
  t.equal((await service.store.workspaces.find(id))?.agents, 0);
});
