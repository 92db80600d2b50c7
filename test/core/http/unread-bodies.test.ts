import { once } from 'node:events';
import { connect } from 'node:net';
import type { Test } from 'tap';
import { startTestService, type TestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);
const ABSENT = '01890000-0000-7000-8000-000000000000';

/** Sends head and body unchanged; resolves with the response when its body, or the end, has arrived. */
async function talk(
  t: Test,
  head: string[],
  { key, body = '', of = service }: { key?: string; body?: string; of?: TestService } = {},
): Promise<string> {
  const { hostname, port } = new URL(of.baseUrl);
  const socket = connect(Number(port), hostname);
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  const lines = [...head, 'host: localhost', ...(key ? [`authorization: Bearer ${key}`] : []), '', body];
  socket.write(lines.join('\r\n'));
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    if (/\r\n\r\n\{.*\}$/s.test(text)) break;
    if (/^HTTP\/1.1 100/.test(text) && body === '') return text;
  }
  return text;
}

const json = 'content-type: application/json';
const waits = ['content-length: 12', json, 'expect: 100-continue'];

t.test('a client that expects 100-continue is rejected without being asked for its body', async (t) => {
  const { apiKey } = await service.workspace();
  const unpaid = (await service.workspace({ plan: 'free' })).apiKey;
  const refusals = [
    [401, 'AUTH_MISSING_API_KEY', 'POST /api/v2/agents', undefined],
    [401, 'AUTH_INVALID_API_KEY', 'POST /api/v2/agents', 'wrong'],
    [403, 'SUBSCRIPTION_PLAN_REQUIRED', 'POST /api/v2/agents', unpaid],
    [404, 'RESOURCE_NOT_FOUND', 'POST /api/v2/nope', apiKey],
    [404, 'AGENT_NOT_FOUND', `PATCH /api/v2/agents/${ABSENT}`, apiKey],
    [404, 'AGENT_NOT_FOUND', `POST /api/v2/agents/${ABSENT}/sources/text`, apiKey],
  ] as const;
  for (const [status, code, line, key] of refusals) {
    const text = await talk(t, [`${line} HTTP/1.1`, ...waits], key ? { key } : {});
    t.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), line);
    t.match(text, code);
  }
});

t.test('a client that expects 100-continue gets it when its body is wanted', async (t) => {
  const { apiKey } = await service.workspace();
  const asked = await talk(t, ['POST /api/v2/agents HTTP/1.1', ...waits], { key: apiKey });
  t.match(asked, /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  const text = await talk(t, ['POST /api/v2/agents HTTP/1.1', ...waits], {
    key: apiKey,
    body: '{"name":"a"}',
  });
  t.match(text, /HTTP\/1\.1 201 /);
});

t.test('a missing body does not delay an error response', async (t) => {
  const { apiKey } = await service.workspace();
  for (const length of ['content-length: 1000000', 'transfer-encoding: chunked']) {
    const unknown = await talk(t, ['POST /api/v2/agents HTTP/1.1', json, length]);
    t.match(unknown, /^HTTP\/1\.1 401 .*AUTH_MISSING_API_KEY/s);
    const foreign = await talk(t, [`PATCH /api/v2/agents/${ABSENT} HTTP/1.1`, json, length], { key: apiKey });
    t.match(foreign, /^HTTP\/1\.1 404 .*AGENT_NOT_FOUND/s);
    const typed = await talk(t, ['POST /api/v2/agents HTTP/1.1', 'content-type: text/plain', length], {
      key: apiKey,
    });
    t.match(typed, /^HTTP\/1\.1 400 .*VALIDATION_INVALID_BODY/s);
  }
});

t.test('an incomplete body gets a response too', async (t) => {
  const hasty = await startTestService(t, { settings: { http: { requestTimeoutMs: 100 } } });
  const { apiKey } = await hasty.workspace();
  const head = ['POST /api/v2/agents HTTP/1.1', json, 'content-length: 100'];
  const text = await talk(t, head, { key: apiKey, body: '{"name":"a', of: hasty });
  t.match(text, /^HTTP\/1\.1 400 .*VALIDATION_INVALID_BODY/s);
});

t.test('a body that is announced as too long is rejected before it is sent', async (t) => {
  const { apiKey } = await service.workspace();
  const text = await talk(
    t,
    ['POST /api/v2/agents HTTP/1.1', json, `content-length: ${2 * 1024 * 1024 + 1}`],
    { key: apiKey },
  );
  t.match(text, /^HTTP\/1\.1 400 .*VALIDATION_INVALID_BODY/s);
});

t.test('unusual request lines get a response too', async (t) => {
  const { apiKey } = await service.workspace();
  const odd = [
    'GET http://[::1/api/v2/agents',
    'OPTIONS *',
    'GET /api/v2/agents/%',
    'GET //',
    'GET /api/v2/%2e%2e/agents',
    'GET /api/v2/..;/',
  ];
  for (const line of odd) {
    const text = await talk(t, [`${line} HTTP/1.1`, 'connection: close'], { key: apiKey });
    t.match(text, /^HTTP\/1\.1 40[04] /, line);
    t.notMatch(text, /node_modules|Error:/, line);
  }
});

t.test('a rejected body does not affect the next request', async (t) => {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  t.teardown(() => socket.destroy());
  const head = (line: string, ...more: string[]) =>
    [`${line} HTTP/1.1`, 'host: localhost', ...more, '', ''].join('\r\n');
  socket.write(head('POST /api/v2/agents', json, 'content-length: 300000'));
  socket.write('x'.repeat(300_000));
  socket.write(head('GET /api/v2/health', 'connection: close'));
  let text = '';
  for await (const chunk of socket) text += chunk;
  t.match(text, /^HTTP\/1\.1 401 .*HTTP\/1\.1 200 .*"ok"\}$/s);
});
