import type { Test } from 'tap';
import { client } from '../support/flows.js';
import { rawRequest } from '../support/raw-request.js';
import { bootstrapKey, type ServerProcess, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

interface RequestLine {
  level: number;
  msg: string;
  requestId?: string;
  path: string;
  bytes: number;
}

const linesOf = (server: ServerProcess): RequestLine[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as RequestLine)
    .filter(({ msg }) => msg === 'request');

async function start(t: Test, env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({ dataDir: tempFolder(t), env: { ROLES: 'api,worker', ...env } });
  t.teardown(() => server.killAll());
  return server;
}

const get = (server: ServerProcess, path: string, requestId: string) =>
  fetch(server.baseUrl + path, {
    headers: { authorization: `Bearer ${bootstrapKey}`, 'x-request-id': requestId },
  }).then((answer) => answer.text());

const lineOf = (server: ServerProcess, requestId: string) =>
  until(`the line of ${requestId}`, () => linesOf(server).find((line) => line.requestId === requestId));

t.test('each request has one log line at level info, without secrets', async (t) => {
  const server = await start(t);
  const api = client(server.baseUrl, bootstrapKey);
  const { id } = await api.call<{ id: string }>('POST', '/agents', { name: 'logged' });

  const body = await get(server, `/api/v2/agents/${id}?token=s3cret`, 'r-one');
  const line = await lineOf(server, 'r-one');
  t.match(line, {
    level: 30,
    method: 'GET',
    path: `/api/v2/agents/${id}`,
    route: '/api/v2/agents/:agentId',
    status: 200,
    ms: Number,
    workspaceId: /^[0-9a-f-]{36}$/,
    agentId: id,
  });
  const { bytes } = line;
  t.ok(bytes > body.length, `${bytes} bytes sent, ${body.length} of them body`);

  await get(server, '/api/v2/nowhere', 'r-none');
  t.match(await lineOf(server, 'r-none'), { status: 404 });
  await fetch(`${server.baseUrl}/api/v2/agents`, { headers: { 'x-request-id': 'r-nobody' } });
  t.match(await lineOf(server, 'r-nobody'), { status: 401 });

  const { files } = await api.call<{ files: [{ uploadUrl: string }] }>(
    'POST',
    `/agents/${id}/sources/file/upload-url`,
    { files: [{ fileName: 'hours.txt' }] },
  );
  const [{ uploadUrl }] = files;
  await fetch(uploadUrl, {
    method: 'PUT',
    body: 'We open at nine.',
    headers: { 'content-type': 'text/plain', 'x-request-id': 'r-upload' },
  });
  t.match(await lineOf(server, 'r-upload'), { path: '/uploads/[redacted]', status: 201 });

  // Proxies send the whole URL.
  await rawRequest(t, {
    baseUrl: server.baseUrl,
    line: `GET ${uploadUrl}`,
    headers: ['x-request-id: r-whole'],
  });
  t.match(await lineOf(server, 'r-whole'), { path: '/uploads/[redacted]' });

  await fetch(`${server.baseUrl}/mail/stop/some-token`, { headers: { 'x-request-id': 'r-stop' } });
  t.match(await lineOf(server, 'r-stop'), { path: '/mail/stop/[redacted]', status: 404 });

  const stream = await fetch(`${server.baseUrl}/api/v2/agents/${id}/chat`, {
    method: 'POST',
    body: JSON.stringify({ message: 'When do you open?' }),
    headers: {
      authorization: `Bearer ${bootstrapKey}`,
      'content-type': 'application/json',
      'x-request-id': 'r-stream',
    },
  });
  const events = await stream.text();
  t.match(await lineOf(server, 'r-stream'), { status: 200, route: '/api/v2/agents/:agentId/chat' });
  t.ok((linesOf(server).find(({ requestId }) => requestId === 'r-stream')?.bytes ?? 0) > events.length);

  const cut = await rawRequest(t, {
    baseUrl: server.baseUrl,
    key: bootstrapKey,
    line: `PATCH /api/v2/agents/${id}`,
    headers: [
      'content-type: application/json',
      'content-length: 100',
      'expect: 100-continue',
      'x-request-id: r-gone',
    ],
  });
  await until('the body to be asked for', () => cut.text().includes('100 Continue'));
  cut.socket.destroy();
  const gone = await lineOf(server, 'r-gone');
  t.match(gone, { aborted: true, path: `/api/v2/agents/${id}` });
  t.notOk('status' in gone, 'it got no response');

  for (const path of ['/livez', '/readyz', '/metrics', '/api/v2/health']) await get(server, path, 'r-probe');
  await get(server, '/api/v2/agents', 'r-last');
  await lineOf(server, 'r-last');
  t.same(
    linesOf(server).filter(({ requestId }) => requestId === 'r-probe'),
    [],
    'probes have none',
  );
  t.equal(linesOf(server).filter(({ requestId }) => requestId === 'r-one').length, 1);
  t.notMatch(server.log(), 's3cret');
  t.notMatch(server.log(), 'MaxListeners');
  t.notOk(server.log().includes(new URL(uploadUrl).pathname.split('/').at(-1) ?? ''), 'no upload token');
});

t.test('log.requests disables them', async (t) => {
  const server = await start(t, { CADRE_LOG_REQUESTS: 'false' });
  await get(server, '/api/v2/agents', 'r-quiet');
  t.equal(await server.stop(), 0);
  t.same(linesOf(server), []);
});
