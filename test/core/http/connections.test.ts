import type { Test } from 'tap';
import type { Answerer } from '../../../core/chat/answerer.js';
import type { ServiceSettings } from '../../../core/service.js';
import { type RawRequest, rawRequest } from '../../support/raw-request.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
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

/** A service with few connections, and with answers that do not end until `go` is called. */
async function crowded(t: Test, http: Partial<ServiceSettings['http']> = {}, maxConnections = 10) {
  let go = () => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const answerer: Answerer = {
    admit: () => ({ isExtractive: false, release() {} }),
    async *answer() {
      yield { type: 'text', text: 'I think' };
      await gone;
    },
  };
  const service = await startTestService(t, { maxConnections, settings: { http }, answerer });
  const { apiKey: key } = await service.workspace();
  const { id } = await service.api(key).agent();
  const at = { baseUrl: service.baseUrl, key };
  const line = `PATCH /api/v2/agents/${id}`;
  return {
    ...at,
    go,
    /** A request in progress: a stream that has begun. */
    async busy(from?: string): Promise<RawRequest> {
      const body = '{"message":"Hello"}';
      const stream = await rawRequest(t, {
        ...at,
        line: `POST /api/v2/agents/${id}/chat`,
        headers: [json, `content-length: ${body.length}`, 'connection: close'],
        body,
        ...(from ? { from } : {}),
      });
      await until('the stream', () => stream.text().startsWith('HTTP/1.1 200'));
      return stream;
    },
    /** A request without its body. */
    unsent: () => rawRequest(t, { ...at, line, headers: [json, 'content-length: 12', 'connection: close'] }),
    /** A connection without a request. */
    silent: (from?: string) => rawRequest(t, { baseUrl: at.baseUrl, ...(from ? { from } : {}) }),
    /** Sends a request on a connection of its own. Returns the status. */
    async get(path: string, from?: string): Promise<string> {
      const { text } = await rawRequest(t, {
        ...at,
        line: `GET ${path}`,
        headers: ['connection: close'],
        ...(from ? { from } : {}),
      });
      await until('an answer', () => text().includes('\r\n\r\n{'));
      return text().slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
    },
  };
}

const isOpen = ({ closedAt }: RawRequest): boolean => closedAt() === null;
const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));
/** Peers that are proxies are not limited by address. */
const proxies = { trustedProxies: ['127.0.0.1', '::1'] };

t.test('many silent connections keep no client out and end no request', async (t) => {
  const { busy, silent, get, go } = await crowded(t, proxies);
  const working = await busy();
  const idle: RawRequest[] = [];
  for (let n = 0; n < 30; n++) idle.push(await silent());
  for (let n = 0; n < 25; n++) t.equal(await get(n % 2 ? '/livez' : '/api/v2/agents'), '200');
  await until('the oldest to be closed', () =>
    idle.slice(0, 20).every(({ closedAt }) => closedAt() !== null),
  );
  go();
  await until('the answer', () => working.text().includes('[DONE]'));
});

t.test('requests without their bodies count, and are closed for newcomers', async (t) => {
  const { unsent, get } = await crowded(t, proxies);
  const waiting = await times(40, unsent);
  await until('the limit', () => waiting.filter(isOpen).length <= 10);
  for (let n = 0; n < 25; n++) t.equal(await get('/livez'), '200');
});

t.test('a body that arrives slowly is not cut for newcomers', async (t) => {
  const { unsent, silent } = await crowded(t, proxies);
  const slow = await unsent();
  for (const character of '{"name":"a"') {
    slow.socket.write(character);
    for (let n = 0; n < 4; n++) await silent();
  }
  slow.socket.write('}');
  await until('the answer', () => slow.text().includes('HTTP/1.1 200'));
});

t.test('an address takes half of the connections', async (t) => {
  const { busy, silent, get, go } = await crowded(t);
  const stranger = '127.0.0.2';
  const others = await times(4, () => silent('127.0.0.3'));
  const many = await times(20, () => silent(stranger));
  await until('the limit of the address', () => many.filter(isOpen).length <= 5);
  t.ok(others.every(isOpen), 'connections of other addresses stay');
  const working = [await busy(stranger), ...(await times(4, () => busy(stranger)))];
  t.equal(await get('/api/v2/agents', stranger), '503');
  t.equal(await get('/livez', stranger), '200');
  t.equal(await get('/api/v2/agents', '127.0.0.4'), '200');
  go();
  await until('the answers', () => working.every(({ text }) => text().includes('[DONE]')));
  await until('room', async () => (await get('/api/v2/agents', stranger)) === '200');
});

t.test('while all connections have requests in progress, others get 503', async (t) => {
  const { busy, get, go } = await crowded(t, proxies);
  const working = await times(10, () => busy());
  t.equal(await get('/api/v2/agents'), '503');
  t.equal(await get('/livez'), '200');
  go();
  await until('the answers', () => working.every(({ text }) => text().includes('[DONE]')));
  await until('room', async () => (await get('/api/v2/agents')) === '200');
});

t.test('newcomers that come together while all are busy are answered, not reset', async (t) => {
  const { busy, silent, go, key } = await crowded(t, proxies, 30);
  const working = await times(30, () => busy());
  const newcomers = await times(3, silent);
  for (const { socket } of newcomers)
    socket.write(
      `GET /api/v2/agents HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`,
    );
  await until('the answers', () => newcomers.every(({ text }) => text().startsWith('HTTP/1.1 503')));
  go();
  await until('the end', () => working.every(({ text }) => text().includes('[DONE]')));
});
