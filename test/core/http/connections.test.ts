import t from 'tap';
import { type RawRequest, rawRequest } from '../../support/raw-request.js';
import { startTestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { largeSource } from './large-source.js';

const service = await startTestService(t, { silenceMs: 300 });
const { baseUrl, store } = service;
const { apiKey: key } = await service.workspace();
const api = service.api(key);
const { id } = await api.agent();
const json = 'content-type: application/json';

t.test('closes the connection of a client that stops sending', async (t) => {
  const silent = {
    'before its first byte': {},
    'in the middle of its body': {
      line: 'POST /api/v2/agents',
      headers: [json, 'content-length: 100'],
      body: '{"name',
    },
    'before its body': { line: 'POST /api/v2/agents', headers: [json, 'content-length: 100'] },
    'after nonsense': { line: 'nonsense', headers: ['no colon'] },
  };
  for (const [when, request] of Object.entries(silent)) {
    const { closedAt } = await rawRequest(t, { baseUrl, key, ...request });
    await until(`the connection to close: ${when}`, () => closedAt() !== null, 25_000);
    t.pass(when);
  }
});

t.test('closes the connection of a client that does not read, and releases its memory', async (t) => {
  // Longer than the cache time of scrapes, so that one of them sees the unread response.
  const { baseUrl } = await service.beside({ silenceMs: 3000 });
  const path = await largeSource(store, id);
  const held = async () =>
    Number(/^http_memory_held_bytes (\d+)$/m.exec(await (await fetch(`${baseUrl}/metrics`)).text())?.[1]);
  await rawRequest(t, { baseUrl, key, line: `GET /api/v2${path}`, reads: false });
  await until('the answer to wait', async () => (await held()) > 1_000_000);
  await until('the answer to be dropped', async () => (await held()) === 0);
  t.equal((await api.get(path)).status, 200, 'whoever takes it gets it');
});

t.test('does not close the connection of a client that waits for us', async (t) => {
  let letGo = () => {};
  const busy = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const turn = store.turns.run(id, null, async () => busy);
  const renamed = api.patch<{ name: string }>(`/agents/${id}`, { name: 'patience' });
  const stopsSending = { line: 'POST /api/v2/agents', headers: [json, 'content-length: 100'], body: '{' };
  for (let silences = 0; silences < 4; silences++) {
    const { closedAt } = await rawRequest(t, { baseUrl, key, ...stopsSending });
    await until('a silent client to be cut', () => closedAt() !== null);
  }
  letGo();
  await turn;
  t.equal((await renamed).body.name, 'patience');
});

t.test('pipelines requests on one connection, up to a limit', async (t) => {
  const get = 'GET /api/v2/health HTTP/1.1\r\nhost: a\r\n\r\n';
  const some = await rawRequest(t, { baseUrl });
  some.socket.write(get.repeat(50));
  await until('all answers', () => some.text().split('{"status":"ok"}').length === 51);

  const flood = await rawRequest(t, { baseUrl });
  flood.socket.write(get.repeat(5000));
  await until('the connection to close', () => flood.closedAt() !== null);
  t.ok(flood.text().split('HTTP/1.1 200').length < 1000, 'most were never worked on');
  t.equal((await api.get('/health')).status, 200);
});

t.test('processes requests of one connection in order', async (t) => {
  let letGo = () => {};
  const busy = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const turn = store.turns.run(id, null, async () => busy);
  const line = { line: `PATCH /api/v2/agents/${id}`, headers: [json, 'content-length: 16'] };
  const { socket, text } = await rawRequest(t, { baseUrl, key, ...line, body: '{"name":"first"}' });
  socket.write(`GET /api/v2/agents/${id} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`);
  await api.get('/agents');
  letGo();
  await turn;
  await until('both answers', () => text().split('HTTP/1.1 200').length === 3);
  t.equal(text().split('"name":"first"').length, 3, 'the second sees what the first has done');
});

t.test('many idle connections keep no client out and end no request', async (t) => {
  const crowded = await startTestService(t, { maxConnections: 10 });
  const { apiKey } = await crowded.workspace();
  const at = { baseUrl: crowded.baseUrl, key: apiKey };
  const head = [json, 'content-length: 12', 'expect: 100-continue'];
  const busy = await rawRequest(t, { ...at, line: 'POST /api/v2/agents', headers: head });
  await until('to be told to go on', () => busy.text() !== '');
  const idle: RawRequest[] = [];
  for (let n = 0; n < 30; n++) idle.push(await rawRequest(t, { baseUrl: crowded.baseUrl }));
  t.equal((await crowded.api(apiKey).get('/agents')).status, 200);
  await until('the oldest to be closed', () =>
    idle.slice(0, 20).every(({ closedAt }) => closedAt() !== null),
  );
  t.equal(idle[29]?.closedAt(), null, 'the youngest stays');
  busy.socket.write('{"name":"a"}');
  await until('the answer', () => busy.text().includes('HTTP/1.1 201'));
});
