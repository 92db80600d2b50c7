import {
  type Agent,
  type ApiClient,
  body,
  invalid,
  type List,
  type Source,
  walk,
} from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);
const ids = (items: { id: string }[]) => items.map(({ id }) => id);
const text = (api: ApiClient, agentId: string, title: string) =>
  body(api.post<{ documentId: string }>(`/agents/${agentId}/sources/text`, { title, content: 'text' }));
const question = (api: ApiClient, agentId: string) =>
  body(
    api.post<{ documentId: string }>(`/agents/${agentId}/sources/qna`, {
      title: 'q',
      questions: ['q?'],
      answer: 'a',
    }),
  );

t.test('limit is 1 to 100 in plain digits, by default 20', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  for (let n = 0; n < 21; n += 1) await api.agent();
  for (let n = 0; n < 21; n += 1) await text(api, id, 'x');
  for (const path of ['/agents', `/agents/${id}/sources`, `/agents/${id}/jobs`]) {
    const page = await body(api.get<List<unknown>>(path));
    t.equal(page.data.length, path.endsWith('/jobs') ? 0 : 20, path);
    for (const limit of ['1', '100', '007', '00000000000000000000020'])
      t.equal((await api.get(`${path}?limit=${limit}`)).status, 200, limit);
    const wrong = [
      '0',
      '101',
      '-1',
      '+1',
      '%2B1',
      '1.0',
      '1e1',
      '',
      ' 1',
      '1%20',
      'x',
      '0x10',
      '%D9%A5',
      '99999999999999999999999',
      'null',
      '00',
    ];
    for (const limit of wrong) invalid(t, await api.get(`${path}?limit=${limit}`), 'limit');
  }
  t.equal((await body(api.get<List<Agent>>('/agents?limit=1'))).data.length, 1);
  t.equal((await body(api.get<List<Agent>>('/agents?limit=100'))).pagination.hasMore, false);
});

t.test('rejects a repeated known parameter, ignores an unknown one, and names every problem', async (t) => {
  const api = await service.client();
  const sources = `/agents/${(await api.agent()).id}/sources`;
  invalid(t, await api.get('/agents?limit=1&limit=1'), 'limit');
  invalid(t, await api.get('/agents?cursor=&cursor='), 'cursor');
  invalid(t, await api.get(`${sources}?sourceType=qna_entry&sourceType=qna_entry`), 'sourceType');
  for (const ignored of [
    'x=1&x=2',
    'Limit=0',
    'LIMIT=x',
    'sourcetype=x',
    'limit[]=0',
    '%',
    '&&',
    '__proto__=1&constructor=2',
    '%00=%00',
  ]) {
    t.equal((await api.get(`${sources}?${ignored}`)).status, 200, ignored);
  }
  invalid(t, await api.get(`${sources}?limit=0&cursor=x&sourceType=x`), 'limit', 'cursor', 'sourceType');
  invalid(
    t,
    await api.get(`${sources}?limit=1&limit=1&cursor=x&sourceType=x`),
    'limit',
    'cursor',
    'sourceType',
  );
  invalid(t, await api.get('/agents?limit=0&cursor=x'), 'limit', 'cursor');
});

t.test('sourceType filters the items and the total, and must be one of four types', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  const snippets = [await text(api, id, '1'), await text(api, id, '2'), await text(api, id, '3')];
  const entry = await question(api, id);
  const list = (type: string) =>
    body(api.get<List<Source>>(`/agents/${id}/sources?limit=2&sourceType=${type}`));
  t.match(await list('text_snippet'), {
    data: [{ id: snippets[2]?.documentId }, { id: snippets[1]?.documentId }],
  });
  t.match((await list('text_snippet')).pagination, { hasMore: true, total: 3 });
  t.strictSame(ids((await list('qna_entry')).data), [entry.documentId]);
  t.strictSame((await list('qna_entry')).pagination, { cursor: null, hasMore: false, total: 1 });
  for (const type of ['web_crawl', 'file_upload'])
    t.strictSame((await list(type)).pagination, { cursor: null, hasMore: false, total: 0 });
  t.equal((await body(api.get<List<Source>>(`/agents/${id}/sources`))).pagination.total, 4);
  for (const type of ['', 'TEXT_SNIPPET', 'text', 'text_snippet,qna_entry', 'text_snippet%20']) {
    invalid(t, await api.get(`/agents/${id}/sources?sourceType=${type}`), 'sourceType');
  }
});

t.test('rejects a cursor that was not issued for this list', async (t) => {
  const api = await service.client();
  const [one, two] = [await api.agent(), await api.agent()];
  for (const { id } of [one, two]) for (let n = 0; n < 2; n += 1) await text(api, id, 'x');
  const cursorOf = async (path: string) =>
    (await body(api.get<List<unknown>>(`${path}limit=1`))).pagination.cursor ?? '';
  const sources = `/agents/${one.id}/sources?`;
  const cursors = {
    agents: await cursorOf('/agents?'),
    all: await cursorOf(sources),
    snippets: await cursorOf(`${sources}sourceType=text_snippet&`),
    other: await cursorOf(`/agents/${two.id}/sources?`),
  };
  const at = (path: string, cursor: string) => api.get(`${path}cursor=${encodeURIComponent(cursor)}`);
  t.equal((await at('/agents?', cursors.agents)).status, 200);
  t.equal((await at(sources, cursors.all)).status, 200);
  t.equal((await at(`${sources}sourceType=text_snippet&`, cursors.snippets)).status, 200);
  const foreign = [
    [sources, cursors.agents],
    [sources, cursors.snippets],
    [sources, cursors.other],
    ['/agents?', cursors.all],
    [`${sources}sourceType=text_snippet&`, cursors.all],
    [`${sources}sourceType=qna_entry&`, cursors.snippets],
    [`/agents/${one.id}/jobs?`, cursors.all],
  ] as const;
  for (const [path, cursor] of foreign) invalid(t, await at(path, cursor), 'cursor');

  const stranger = await service.client();
  invalid(t, await stranger.get(`/agents?cursor=${encodeURIComponent(cursors.agents)}`), 'cursor');
  const wrong = [
    'x',
    one.id,
    Buffer.from(one.id).toString('base64url'),
    '0',
    ' ',
    '\0',
    '\u{1F600}',
    'x'.repeat(5000),
    "' OR 1=1 --",
  ];
  for (const cursor of wrong) invalid(t, await at('/agents?', cursor), 'cursor');
  for (let n = 0; n < cursors.agents.length; n += 1) {
    const other = cursors.agents[n] === 'A' ? 'B' : 'A';
    const tampered = cursors.agents.slice(0, n) + other + cursors.agents.slice(n + 1);
    invalid(t, await at('/agents?', tampered), 'cursor');
  }
  for (const spelled of [
    `${cursors.agents}=`,
    `${cursors.agents} `,
    cursors.agents.slice(0, -1),
    `${cursors.agents}A`,
  ]) {
    invalid(t, await at('/agents?', spelled), 'cursor');
  }
});

await onEachEngine(
  'paging during changes returns all items that existed throughout, once, newest first',
  async (t, engine) => {
    const { client } = await startTestService(t, { engine });
    const api = await client();
    const agents: Agent[] = [];
    for (let n = 0; n < 14; n += 1) agents.push(await api.agent(`${n}`));
    const doomed = [agents[12], agents[9], agents[6], agents[2]].map((agent) => agent?.id ?? '');
    const shown = await walk<Agent>(api, '/agents', 3, async () => {
      await api.agent('newcomer');
      const next = doomed.shift();
      if (next) await body(api.delete(`/agents/${next}`));
    });
    t.equal(new Set(ids(shown)).size, shown.length, 'nothing comes twice');
    const gone = new Set([agents[12], agents[9], agents[6], agents[2]].map((agent) => agent?.id));
    const stayed = agents.filter(({ id }) => !gone.has(id)).reverse();
    t.strictSame(
      shown.filter(({ id }) => !gone.has(id)),
      stayed,
    );
    t.strictSame(ids(shown), ids(shown).sort().reverse());
    const all = await walk<Agent>(api, '/agents', 100);
    t.equal((await body(api.get<List<Agent>>('/agents?limit=1'))).pagination.total, all.length);
    t.ok(shown.every(({ settings }) => Object.keys(settings).length === 0));

    const { id } = await api.agent();
    const learned: string[] = [];
    for (let n = 0; n < 7; n += 1)
      learned.unshift((n % 2 ? await text(api, id, 'x') : await question(api, id)).documentId);
    t.strictSame(ids(await walk<Source>(api, `/agents/${id}/sources`, 2)), learned);
    const snippets = await walk<Source>(api, `/agents/${id}/sources?sourceType=text_snippet`, 1);
    t.strictSame(
      ids(snippets),
      learned.filter((_, n) => n % 2 === 1),
    );
    await body(api.delete(`/agents/${id}/sources/${learned[3]}`));
    t.equal((await body(api.get<List<Source>>(`/agents/${id}/sources`))).pagination.total, 6);
  },
);

t.test('a page that ends with the list has no cursor', async (t) => {
  const api = await service.client();
  await api.agent();
  await api.agent();
  t.strictSame((await body(api.get<List<Agent>>('/agents?limit=2'))).pagination, {
    cursor: null,
    hasMore: false,
    total: 2,
  });
  t.match((await body(api.get<List<Agent>>('/agents?limit=1'))).pagination, {
    cursor: /^[\w-]+$/,
    hasMore: true,
    total: 2,
  });
});
