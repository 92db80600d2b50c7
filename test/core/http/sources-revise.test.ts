import { type ApiClient, body, invalid, refused, type Source } from '../../support/api-client.js';
import { addPages } from '../../support/pages.js';
import { type Engine, onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';

async function begun(t: Parameters<typeof startTestService>[0], engine?: Engine, storageBytes = 1000) {
  const service = await startTestService(t, engine ? { engine } : {});
  const { id, apiKey } = await service.workspace({ set: { 'limits.storageBytes': storageBytes } });
  const api = service.api(apiKey);
  const { id: agentId } = await api.agent();
  const agent = `/agents/${agentId}`;
  const add = async (kind: 'text' | 'qna', sent: object) =>
    `${agent}/sources/${(await body(api.post<{ documentId: string }>(`${agent}/sources/${kind}`, sent))).documentId}`;
  return {
    service,
    api,
    apiKey,
    agent,
    agentId,
    text: (title: string, content: string) => add('text', { title, content }),
    qna: (questions: string[], answer: string) => add('qna', { title: 't', questions, answer }),
    contentOf: async (source: string) => (await body(api.get<{ text: string }>(`${source}/content`))).text,
    bytesUsed: async () => (await service.store.workspaces.find(id))?.storageBytes,
    found: async (query: string) => (await hits(api, agent, query)).length,
  };
}

const hits = async (api: ApiClient, agent: string, query: string) =>
  (await body(api.post<{ data: object[] }>(`${agent}/search`, { query }))).data;

await onEachEngine('a text is replaced in place and found by its new content', async (t, engine) => {
  const { api, agent, text, contentOf, bytesUsed, found } = await begun(t, engine);
  const source = await text('Hours', 'The museum opens at nine.');
  const before = await body(api.get<Source>(source));
  const answer = await api.patch<Source>(source, {
    title: ' Times ',
    content: 'The library closes at seven.',
  });
  t.equal(answer.status, 200, answer.text);
  t.match(answer.body, { id: before.id, title: 'Times', createdAt: before.createdAt, lastCrawledAt: null });
  t.not(
    (answer.body.sourceMetadata as { contentHash: string }).contentHash,
    (before.sourceMetadata as { contentHash: string }).contentHash,
  );
  t.strictSame(await body(api.get(source)), answer.body);
  t.equal(await contentOf(source), 'The library closes at seven.');
  t.equal(await bytesUsed(), 28);
  t.equal(await found('museum'), 0);
  t.equal(await found('library'), 1);
  t.equal(await found('times'), 1, 'by its title');
  t.equal((await body(api.get<{ documentCount: number }>(`${agent}/train`))).documentCount, 1);

  t.match(await body(api.patch(source, { title: 'Closing' })), { title: 'Closing' });
  t.equal(await contentOf(source), 'The library closes at seven.', 'what is not named stays');
  t.equal(await found('closing time'), 1);
  t.equal(await bytesUsed(), 28);
});

await onEachEngine(
  'an entry keeps its questions when its answer changes, and vice versa',
  async (t, engine) => {
    const { api, qna, contentOf, bytesUsed } = await begun(t, engine);
    const source = await qna(['When?', ' ', 'Q: odd\nA: one'], 'At nine.');
    t.match(await body(api.patch(source, { answer: 'At ten.' })), {
      sourceMetadata: { questions: ['When?', 'Q: odd\nA: one'], bytes: 25 },
    });
    t.equal(await contentOf(source), 'Q: When?\nQ: Q: odd\nA: one\nA: At ten.');
    await body(api.patch(source, { questions: ['Since when?'] }));
    t.equal(await contentOf(source), 'Q: Since when?\nA: At ten.');
    t.equal(await bytesUsed(), 18);
  },
);

await onEachEngine('only the growth counts against the allowance', async (t, engine) => {
  const { api, text, contentOf, bytesUsed } = await begun(t, engine, 10);
  const source = await text('t', '12345678');
  refused(t, await api.patch(source, { content: 'x'.repeat(11) }), 403, 'QUOTA_STORAGE_LIMIT');
  t.equal(await contentOf(source), '12345678');
  t.equal((await api.patch(source, { content: 'ééééé' })).status, 200);
  t.equal(await bytesUsed(), 10);
  await body(api.patch(source, { content: 'x' }));
  t.equal(await bytesUsed(), 1);
  await body(api.delete(source));
  t.equal(await bytesUsed(), 0);
});

await onEachEngine(
  'concurrent changes of two fields in two processes both take effect',
  async (t, engine) => {
    const { service, api, apiKey, text, contentOf } = await begun(t, engine);
    const other = (await service.beside()).api(apiKey);
    const source = await text('before', 'before');
    for (let n = 0; n < 5; n += 1) {
      const answers = await Promise.all([
        api.patch(source, { title: `title ${n}` }),
        other.patch(source, { content: `content ${n}` }),
      ]);
      t.strictSame(
        answers.map(({ status }) => status),
        [200, 200],
      );
      t.match(await body(api.get(source)), { title: `title ${n}` });
      t.equal(await contentOf(source), `content ${n}`);
    }
  },
);

t.test('rejects pages, files and fields of another type without a change', async (t) => {
  const { service, api, agent, agentId, text, qna, contentOf } = await begun(t);
  const [page] = await addPages(service.store, agentId, ['https://a.example/1']);
  invalid(t, await api.patch(`${agent}/sources/${page}`, { title: 'x' }), 'documentId');
  invalid(t, await api.patch(`${agent}/sources/x`, { title: 'x' }), 'documentId');
  refused(
    t,
    await api.patch(`${agent}/sources/${ABSENT}`, { title: 'x' }),
    404,
    'RESOURCE_DOCUMENT_NOT_FOUND',
  );
  const source = await text('t', 'c');
  const entry = await qna(['q'], 'a');
  invalid(t, await api.patch(source, { title: 'x', answer: 'x' }), 'answer');
  invalid(t, await api.patch(entry, { content: 'x' }), 'content');
  invalid(t, await api.patch(source, { questions: ['x'], answer: 'x', title: 'x' }), 'questions', 'answer');
  for (const sent of [{}, { sourceType: 'qna_entry' }]) invalid(t, await api.patch(source, sent));
  invalid(t, await api.patch(source, { title: ' ', content: '' }), 'title', 'content');
  invalid(t, await api.patch(entry, { questions: [' '], answer: null }), 'questions', 'answer');
  const stranger = await service.client();
  refused(t, await stranger.patch(source, { title: 'x' }), 404, 'AGENT_NOT_FOUND');
  t.match(await body(api.get(source)), { title: 't' });
  t.equal(await contentOf(source), 'c');
});
