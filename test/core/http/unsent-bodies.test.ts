import type { Test } from 'tap';
import { type ApiClient, body } from '../../support/api-client.js';
import { signed } from '../../support/fake-platform.js';
import { type RawRequest, rawRequest } from '../../support/raw-request.js';
import { startTestService, type TestService } from '../../support/service.js';
import { startSocialService } from '../../support/social.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { askForToken, visitorOf } from '../../support/visitors.js';

const MIB = 1024 * 1024;
const json = 'content-type: application/json';
const HOUR_MS = 3_600_000;
/** Clients that send nothing are not closed for it, and tests choose the addresses of clients. */
const patient = { silenceMs: HOUR_MS };
const behindProxy = { http: { trustedProxies: ['127.0.0.1', '::1'], requestTimeoutMs: HOUR_MS } };
const from = (address: string): string => `x-forwarded-for: ${address}`;

interface Sent {
  baseUrl: string;
  key?: string;
  path: string;
  /** Announced bytes. */
  length: number;
  /** Bytes that are sent. */
  sent?: number;
  headers?: string[];
}

/** Announces a body, and sends only a part of it. */
const announce = (t: Test, { path, length, sent = 0, headers = [], ...at }: Sent): Promise<RawRequest> =>
  rawRequest(t, {
    ...at,
    line: `POST ${path}`,
    headers: [json, `content-length: ${length}`, ...headers],
    body: Buffer.alloc(sent, ' '),
  });

const all = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

const isOpen = ({ text, closedAt }: RawRequest): boolean => text() === '' && closedAt() === null;

const held = async ({ baseUrl }: TestService): Promise<number> =>
  Number(/^http_memory_held_bytes (\d+)$/m.exec(await (await fetch(`${baseUrl}/metrics`)).text())?.[1]);

const hasReceived = (service: TestService, bytes: number) =>
  until('the bytes to arrive', async () => (await held(service)) >= bytes);

async function shop(service: TestService, options: Parameters<TestService['workspace']>[0] = {}) {
  const { apiKey } = await service.workspace(options);
  const api = service.api(apiKey);
  const { id } = await api.agent();
  return { apiKey, api, id, chat: `/api/v2/agents/${id}/chat` };
}

/** Statuses of messages, each of another visitor. */
const chats = (service: TestService, agentId: string, count: number, address: (n: number) => string) =>
  all(count, async (n) => {
    const { token } = await visitorOf(service, agentId);
    const headers = { 'x-forwarded-for': address(n) };
    const message = { message: 'Hello', stream: false };
    return (await service.api(token).post(`/agents/${agentId}/chat`, message, { headers })).status;
  });

const twoHundreds = (count: number): number[] => Array.from({ length: count }, () => 200);

t.test('bodies that visitors announce take nothing from other visitors', async (t) => {
  const service = await startTestService(t, { ...patient, settings: behindProxy });
  const { id, chat } = await shop(service);
  const { token } = await visitorOf(service, id);
  const at = { baseUrl: service.baseUrl, key: token, path: chat };
  const idle = await all(200, () => announce(t, { ...at, length: 60_000, headers: [from('203.0.113.1')] }));
  t.strictSame(await chats(service, id, 16, (n) => `198.51.100.${n}`), twoHundreds(16));
  t.strictSame(await chats(service, id, 4, () => '203.0.113.1'), twoHundreds(4), 'at the same address');
  t.ok(idle.every(isOpen), 'the bodies are still awaited');
  t.equal(await held(service), 0);
  await all(200, () => announce(t, { ...at, length: 60_000, sent: 59_999, headers: [from('203.0.113.2')] }));
  await hasReceived(service, 4 * MIB);
  t.strictSame(await chats(service, id, 16, (n) => `198.51.100.${n}`), twoHundreds(16), 'bytes have arrived');
  t.strictSame(await chats(service, id, 4, () => '203.0.113.2'), twoHundreds(4), 'at the same address');
  const large = await announce(t, { ...at, length: 2 * MIB });
  await until('the refusal', () => large.text().includes('\r\n\r\n{'));
  t.match(large.text(), /^HTTP\/1\.1 400 .*larger than 65536 bytes/s);
  const longest = JSON.stringify({ message: 'x', stream: false }).replace(
    '"x"',
    () => `"${String.raw`\ud83d\ude00`.repeat(4000)}"`,
  );
  const headers = { 'content-type': 'application/json' };
  const { token: other } = await visitorOf(service, id);
  const sent = service.api(other).post(`/agents/${id}/chat`, undefined, { raw: longest, headers });
  t.equal((await sent).status, 200, 'the longest message in escape sequences');
});

t.test('bodies of a limited key take nothing from other keys of its workspace', async (t) => {
  const service = await startTestService(t, { ...patient, settings: behindProxy });
  const { api, id, chat } = await shop(service);
  const { secret } = await body(
    api.post<{ secret: string }>('/keys', { name: 'limited', scope: 'chat', agentIds: [id] }),
  );
  const at = { baseUrl: service.baseUrl, key: secret, path: chat, length: 2 * MIB };
  const changes = (with_: ApiClient, count: number) =>
    all(count, async (n) => (await with_.patch(`/agents/${id}`, { name: `${n}` })).status);
  await all(20, () => announce(t, at));
  t.strictSame(await changes(api, 10), twoHundreds(10));
  t.equal(await held(service), 0);
  await all(20, () => announce(t, { ...at, sent: 2 * MIB - 1 }));
  await hasReceived(service, 8 * MIB);
  t.strictSame(await changes(api, 10), twoHundreds(10), 'bytes have arrived');
  const raw = { raw: '{"name":"x"}'.padEnd(2 * MIB, ' '), headers: { 'content-type': 'application/json' } };
  t.equal((await api.patch(`/agents/${id}`, undefined, raw)).status, 200, 'the longest body');
});

t.test('twenty of the longest bodies of one key at once are all received', async (t) => {
  const service = await startTestService(t);
  const { api, id } = await shop(service);
  const raw = { raw: '{"name":"x"}'.padEnd(2 * MIB, ' '), headers: { 'content-type': 'application/json' } };
  const statuses = await all(20, async () => (await api.patch(`/agents/${id}`, undefined, raw)).status);
  t.strictSame(statuses, twoHundreds(20));
});

t.test('a body that stops arriving ends early, and releases its memory', async (t) => {
  const service = await startTestService(t, patient);
  const { apiKey, chat } = await shop(service);
  const at = { baseUrl: service.baseUrl, key: apiKey, path: chat, length: 2 * MIB };
  const stopped = await announce(t, { ...at, sent: MIB });
  const unsent = await announce(t, at);
  await hasReceived(service, 4 * MIB);
  await until('the refusal', () => stopped.text().includes('\r\n\r\n{'));
  t.match(stopped.text(), /^HTTP\/1\.1 400 .*did not arrive in time/s);
  t.ok(isOpen(unsent), 'a body that holds nothing may come later');
  await until('the memory', async () => (await held(service)) === 0);
});

t.test('a request without its body holds no permit', async (t) => {
  const service = await startTestService(t, {
    ...patient,
    settings: { http: { ...behindProxy.http, requestsPerWorkspace: 1 } },
  });
  const [{ apiKey, api, id, chat }, other] = [await shop(service), await shop(service)];
  const idle = await all(200, () =>
    announce(t, { baseUrl: service.baseUrl, key: apiKey, path: chat, length: 100 }),
  );
  let isCompeting = true;
  const competing = (async () => {
    while (isCompeting) await other.api.get('/agents');
  })();
  t.equal((await api.patch(`/agents/${id}`, { name: 'x' })).status, 200);
  t.ok(idle.every(isOpen));
  isCompeting = false;
  await competing;
});

t.test('requests for visitor tokens without a body hold no permit', async (t) => {
  const service = await startTestService(t, { ...patient, settings: behindProxy });
  const { id } = await shop(service);
  const { id: other } = await shop(service);
  const idle = await all(600, (n) =>
    announce(t, {
      baseUrl: service.baseUrl,
      path: `/widget/${id}/visitor`,
      length: 8000,
      headers: [from(`203.0.113.${n % 6}`)],
    }),
  );
  t.equal((await askForToken(service, other)).status, 200);
  t.ok(idle.every(isOpen));
  t.equal(await held(service), 0);
});

t.test('strangers cannot keep the events of the platform out', async (t) => {
  const event = { object: 'account', entry: [] };
  const anySignature = `x-hub-signature-256: sha256=${'0'.repeat(64)}`;
  const hook = '/hooks/social';
  const started = (channels: object = {}) =>
    startSocialService(t, 'sqlite', { settings: { ...behindProxy, channels } });
  const deliver = async (service: TestService, address: string, bytes = 0): Promise<number> => {
    const raw = JSON.stringify(event).padEnd(bytes, ' ');
    const headers = { ...signed(raw, 'fake-app-secret'), 'x-forwarded-for': address };
    return (await fetch(`${service.baseUrl}${hook}`, { method: 'POST', body: raw, headers })).status;
  };
  const attack = (service: TestService, address: string, more: { length: number; sent?: number }) =>
    announce(t, { baseUrl: service.baseUrl, path: hook, headers: [anySignature, from(address)], ...more });

  await t.test('without a body', async (t) => {
    const { service } = await started();
    await all(400, (n) => attack(service, '203.0.113.1', { length: 1000 + n }));
    t.equal(await deliver(service, '198.51.100.1'), 200);
    t.equal(await deliver(service, '203.0.113.1'), 200, 'from the same address');
  });

  await t.test('with all but one byte of the longest body', async (t) => {
    const { service } = await started();
    await all(6, () => attack(service, '203.0.113.1', { length: 4 * MIB, sent: 4 * MIB - 1 }));
    for (let n = 0; n < 12; n++) t.equal(await deliver(service, '198.51.100.1', n < 6 ? 0 : 3 * MIB), 200);
  });

  await t.test('from many addresses, if its networks are known', async (t) => {
    const { service } = await started({ trustedNetworks: ['198.51.100.0/24'] });
    await all(60, (n) => attack(service, `203.0.113.${n}`, { length: 4 * MIB, sent: 2 * MIB }));
    t.strictSame(await all(2, () => deliver(service, '198.51.100.1', 4 * MIB)), [200, 200]);
  });
});
