import { createConnection } from 'mysql2/promise';
import type { Test } from 'tap';
import { type FaultyProxy, openFaultyProxy } from '../../support/faulty-proxy.js';
import { mysqlMissing } from '../../support/mysql.js';
import { startTestService, type TestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

/* The API while the database server is unreachable or its connections are dead. */

interface Installation {
  proxy: FaultyProxy;
  service: TestService;
  agentId: string;
  /** The address of the database, bypassing the proxy. */
  direct: string;
  /** A request with the key used before, or with another key of the workspace. */
  send(method: string, path: string, body?: object, key?: string): Promise<Response>;
}

async function installation(t: Test, statementTimeoutMs = 15_000): Promise<Installation> {
  const proxy = await openFaultyProxy({ host: '127.0.0.1', port: 3306 });
  t.teardown(() => proxy.close());
  let direct = '';
  const service = await startTestService(t, {
    engine: 'mysql',
    statementTimeoutMs,
    databaseUrl: (url) => {
      direct = url;
      return proxy.through(url);
    },
  });
  const { apiKey } = await service.workspace();
  const send: Installation['send'] = (method, path, body, key = apiKey) =>
    fetch(`${service.baseUrl}${path}`, {
      signal: AbortSignal.timeout(10_000),
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const made = await send('POST', '/api/v2/agents', { name: 'Shop' });
  const { id: agentId } = (await made.json()) as { id: string };
  await (
    await send('POST', `/api/v2/agents/${agentId}/sources/text`, { title: 'a', content: 'Opening hours.' })
  ).text();
  return { proxy, service, agentId, direct, send };
}

const skip = await mysqlMissing();

t.test('every request gets 503 with Retry-After while the database is unreachable', { skip }, async (t) => {
  const { proxy, service, agentId, send } = await installation(t);
  const { apiKey: otherKey } = await service.workspace();
  const agent = `/api/v2/agents/${agentId}`;
  const signed = await send('POST', `${agent}/sources/file/upload-url`, { files: [{ fileName: 'a.txt' }] });
  const { files } = (await signed.json()) as { files: [{ uploadUrl: string }] };
  proxy.refuse();
  proxy.cut();
  for (const [name, request] of [
    ['a list', () => send('GET', '/api/v2/agents')],
    ['an agent', () => send('GET', agent)],
    ['the workspace', () => send('GET', '/api/v2/workspace')],
    ['jobs', () => send('GET', `${agent}/jobs`)],
    ['a key that was not used before', () => send('GET', '/api/v2/agents', undefined, otherKey)],
    ['a new agent', () => send('POST', '/api/v2/agents', { name: 'Other' })],
    ['a change', () => send('PATCH', agent, { name: 'New' })],
    ['a text', () => send('POST', `${agent}/sources/text`, { title: 'b', content: 'Prices.' })],
    ['a search', () => send('POST', `${agent}/search`, { query: 'hours' })],
    ['an answer', () => send('POST', `${agent}/chat`, { message: 'When?', stream: false })],
    ['a stream', () => send('POST', `${agent}/chat`, { message: 'When?', stream: true })],
    ['conversations', () => send('GET', `${agent}/conversations`)],
    ['an upload', () => fetch(files[0].uploadUrl, { method: 'PUT', body: 'Hours' })],
    [
      'a webhook',
      () => send('POST', '/api/v2/webhooks', { url: 'https://a.example/', events: ['job.failed'] }),
    ],
  ] as const) {
    const response = await request();
    t.equal(response.status, 503, `${name}: ${await response.clone().text()}`);
    t.ok(Number(response.headers.get('retry-after')) >= 1, `${name}: Retry-After`);
    t.match(
      await response.json(),
      { error: { message: /database is not available. Nothing was changed/ } },
      name,
    );
  }
  proxy.restore();
  await until('requests succeed again', async () => (await send('PATCH', agent, { name: 'New' })).ok);
});

t.test('the API recovers by itself after connections died without being closed', { skip }, async (t) => {
  const { proxy, send, agentId } = await installation(t, 1000);
  const agent = `/api/v2/agents/${agentId}`;
  // Many connections of each pool are open and idle.
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => [
      send('GET', `${agent}/documents?limit=${n + 1}`),
      send('POST', `/api/v2/agents`, { name: `Agent ${n}` }),
    ]).flat(),
  );
  // From now on nothing passes on these connections, as after a power failure of their host; new connections work.
  proxy.freezeOpen();
  const requests = {
    read: () => send('GET', agent),
    change: () => send('PATCH', agent, { name: 'New' }),
    text: () => send('POST', `${agent}/sources/text`, { title: 'b', content: 'Prices.' }),
    search: () => send('POST', `${agent}/search`, { query: 'hours' }),
  };
  await Promise.all(
    Object.entries(requests).map(([name, request]) =>
      t.resolves(
        until(`a ${name} succeeds`, async () => (await request()).ok, 10_000),
        name,
      ),
    ),
  );
});

t.test('the locks of a turn whose connection died are released', { skip }, async (t) => {
  const { proxy, direct, send, agentId } = await installation(t, 1000);
  const other = await createConnection(direct);
  t.teardown(() => other.end());
  const [[{ version }]] = (await other.query('SELECT VERSION() AS version')) as unknown as [
    [{ version: string }],
  ];
  if (!version.includes('MariaDB')) {
    t.comment('MySQL has no limit for idle transactions');
    return;
  }
  await other.query('START TRANSACTION');
  await other.query('SELECT id FROM workspaces FOR UPDATE');
  const addText = () =>
    send('POST', `/api/v2/agents/${agentId}/sources/text`, { title: 'b', content: 'Prices.' });
  const cutOff = addText();
  await until('the text waits for the row of its workspace', async () => {
    const [waiting] = await other.query(
      `SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'UPDATE workspaces %'`,
    );
    return (waiting as unknown[]).length > 0;
  });
  proxy.freezeOpen();
  // Now the server grants the row lock to a transaction whose client is dead.
  await other.query('COMMIT');
  const isStored = () =>
    addText().then(
      ({ ok }) => ok,
      () => false,
    );
  await t.resolves(until('another text is stored', isStored, 15_000));
  t.not((await cutOff).status, 201);
});
