import { type Agent, body, invalid, type List, refused } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const FACE = '\u{1F600}';

t.test('a new agent has a trimmed name and empty settings', async (t) => {
  const api = await service.client();
  const before = Math.floor(Date.now() / 1000);
  const created = await api.post<Agent>('/agents', { name: '  Ada \n', url: 'https://example.com/a?b#c' });
  t.equal(created.status, 201);
  const { id, createdAt, ...rest } = created.body;
  t.strictSame(rest, { name: 'Ada', url: 'https://example.com/a?b#c', settings: {} });
  t.match(id, UUID_V7);
  t.ok(Number.isInteger(createdAt) && (createdAt ?? 0) >= before && (createdAt ?? 0) <= Date.now() / 1000);
  t.strictSame(Object.keys(created.body), ['id', 'name', 'url', 'createdAt', 'settings']);
  t.strictSame((await api.get<Agent>(`/agents/${id}`)).body, created.body);
  t.strictSame((await api.get<Agent>(`/agents/${id.toUpperCase()}`)).body, created.body);
});

t.test('the name has 1 to 255 characters after trimming', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  const good = ['x', 'x'.repeat(255), ` ${'x'.repeat(255)} `, FACE.repeat(255), '\u{FEFF}a\u{A0}'];
  for (const name of good) {
    const created = await api.post<Agent>('/agents', { name });
    t.equal(created.status, 201, created.text.slice(0, 200));
    t.equal(created.body.name, name.trim());
    t.equal((await api.patch<Agent>(`/agents/${id}`, { name })).body.name, name.trim());
  }
  const bad = ['', ' ', '\u{3000}\t', 'x'.repeat(256), FACE.repeat(256), null, 5, true, ['a'], { a: 1 }];
  for (const name of bad) {
    invalid(t, await api.post('/agents', { name }), 'name');
    invalid(t, await api.patch(`/agents/${id}`, { name }), 'name');
  }
  const missing = await api.post<{ error: { details: { fieldErrors: object } } }>('/agents', {});
  t.strictSame(missing.body.error.details.fieldErrors, { name: ['is required'] });
});

t.test('the website is an absolute http(s) URL of at most 2,048 characters, or absent', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  const long = (length: number) => 'https://example.com/'.padEnd(length, 'x');
  for (const url of ['http://a', 'HTTPS://Example.COM:8443/x?y=z', 'https://example.com/ü', long(2048)]) {
    t.equal((await body(api.post<Agent>('/agents', { name: 'a', url }))).url, url);
    t.equal((await body(api.patch<Agent>(`/agents/${id}`, { url }))).url, url);
  }
  for (const url of [null, '']) {
    t.equal((await body(api.post<Agent>('/agents', { name: 'a', url }))).url, null);
    await body(api.patch(`/agents/${id}`, { url: 'https://example.com' }));
    t.equal((await body(api.patch<Agent>(`/agents/${id}`, { url }))).url, null);
    t.equal((await body(api.get<Agent>(`/agents/${id}`))).url, null);
  }
  const bad = [
    'example.com',
    '/x',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    ' ',
    'https://a b',
    long(2049),
  ];
  for (const url of [
    ...bad,
    'http://exa mple.com',
    'https:example.com',
    'data:text/html,x',
    5,
    false,
    {},
    [],
  ]) {
    invalid(t, await api.post('/agents', { name: 'a', url }), 'url');
    invalid(t, await api.patch(`/agents/${id}`, { url }), 'url');
  }
});

t.test('names every invalid field', async (t) => {
  const api = await service.client();
  invalid(t, await api.post('/agents', { name: 7, url: 'x' }), 'name', 'url');
  const { id } = await api.agent();
  invalid(t, await api.patch(`/agents/${id}`, { name: '', url: 3 }), 'name', 'url');
});

t.test('a change affects only the given fields, and needs at least one known field', async (t) => {
  const api = await service.client();
  const { id } = await body(api.post<Agent>('/agents', { name: 'old', url: 'https://example.com/' }));
  t.match(await body(api.patch(`/agents/${id}`, { name: ' new ' })), {
    name: 'new',
    url: 'https://example.com/',
  });
  t.match(await body(api.patch(`/agents/${id}`, { url: 'https://example.org/', name2: 1 })), {
    name: 'new',
    url: 'https://example.org/',
  });
  invalid(t, await api.patch(`/agents/${id}`, {}));
  invalid(t, await api.patch(`/agents/${id}`, { names: 'x', id: 'y', settings: { title: 'x' } }));
  t.match((await body(api.get<Agent>(`/agents/${id}`))).settings, {});
});

t.test('unknown fields of a new agent are ignored', async (t) => {
  const api = await service.client();
  const sent = { name: 'a', id: 'mine', createdAt: 1, settings: { title: 'x' }, workspaceId: 'other' };
  const agent = await body(api.post<Agent>('/agents', sent));
  t.match(agent.id, UUID_V7);
  t.strictSame(agent.settings, {});
  t.ok((agent.createdAt ?? 0) > 1);
});

t.test('a deleted agent disappears at once, also from the list', async (t) => {
  const api = await service.client();
  const [first, second] = [await api.agent('first'), await api.agent('second')];
  t.strictSame(await body(api.delete(`/agents/${first.id}`)), { deleted: true });
  for (const method of ['GET', 'DELETE', 'PATCH']) {
    refused(
      t,
      await api.send(method, `/agents/${first.id}`, method === 'PATCH' ? { name: 'x' } : undefined),
      404,
      'AGENT_NOT_FOUND',
    );
  }
  const list = await body(api.get<List<Agent>>('/agents'));
  t.strictSame(
    list.data.map(({ id }) => id),
    [second.id],
  );
  t.strictSame(list.pagination, { cursor: null, hasMore: false, total: 1 });
});

t.test('agents of other workspaces are neither visible nor counted', async (t) => {
  const [mine, theirs] = [await service.client(), await service.client()];
  await theirs.agent();
  t.strictSame(await body(mine.get('/agents')), {
    data: [],
    pagination: { cursor: null, hasMore: false, total: 0 },
  });
});

t.test('HEAD returns the headers of GET without a body', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  for (const path of [
    '/agents',
    '/agents?limit=0',
    `/agents/${id}`,
    `/agents/${id}/train`,
    '/agents/x',
    '/nope',
    '/health',
  ]) {
    const [head, get] = [await api.send('HEAD', path), await api.get(path)];
    t.equal(head.status, get.status, path);
    t.equal(head.text, '', path);
    t.equal(head.headers.get('content-length'), get.headers.get('content-length'), path);
  }
});
