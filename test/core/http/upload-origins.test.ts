import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Test } from 'tap';
import { createOrigins } from '../../../core/http/auth/origins.js';
import { rawRequest } from '../../support/raw-request.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

/** Returns the origin of the upload URL for a request with this Host header; null sends none, over HTTP/1.0. */
async function origins(t: Test, http: { publicUrl?: string; allowedHosts?: string[] } = {}) {
  const { baseUrl, api, workspace } = await startTestService(t, { settings: { http } });
  const { apiKey } = await workspace();
  const { id } = await api(apiKey).agent();
  const { hostname, port } = new URL(baseUrl);
  const body = '{"files":[{"fileName":"a.txt"}]}';
  const originFor = async (host: string | null): Promise<string> => {
    const socket = connect(Number(port), hostname);
    t.teardown(() => socket.destroy());
    const lines = [
      `POST /api/v2/agents/${id}/sources/file/upload-url HTTP/1.${host === null ? 0 : 1}`,
      ...(host === null ? [] : [`host: ${host}`]),
      `authorization: Bearer ${apiKey}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'connection: close',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    let text = '';
    for await (const chunk of socket) text += chunk;
    const url = /"uploadUrl":"([^"]+)"/.exec(text)?.[1] ?? text;
    return url.slice(0, url.indexOf('/uploads/'));
  };
  return { originFor, listened: baseUrl };
}

t.test('a Host header that is not allowed does not affect upload URLs', async (t) => {
  const { originFor, listened } = await origins(t);
  for (const host of ['evil.example', 'evil.example:80', 'localhost:1', '[::1]:3000', 'a b', null])
    t.equal(await originFor(host), listened, `${host}: the address listened on`);
  const publicUrl = 'https://agents.acme.com';
  const named = await origins(t, { publicUrl });
  for (const host of ['evil.example', '127.0.0.1', null])
    t.equal(await named.originFor(host), publicUrl, String(host));
});

t.test('an allowed Host header does', async (t) => {
  const publicUrl = 'https://public.acme.com';
  const allowedHosts = ['localhost', 'api.acme.com:8443', 'https://agents.acme.com', '[::1]'];
  const { originFor } = await origins(t, { allowedHosts, publicUrl });
  const allowed = {
    localhost: 'http://localhost',
    'localhost:3000': 'http://localhost:3000',
    'LocalHost:80': 'http://localhost',
    'api.acme.com:8443': 'http://api.acme.com:8443',
    'agents.acme.com': 'https://agents.acme.com',
    'agents.acme.com:8443': 'https://agents.acme.com:8443',
    '[::1]:3000': 'http://[::1]:3000',
  };
  for (const [host, origin] of Object.entries(allowed)) t.equal(await originFor(host), origin, host);
  for (const host of [
    'api.acme.com',
    'api.acme.com:1',
    'xlocalhost',
    'localhost.evil.example',
    'localhost:x',
  ])
    t.equal(await originFor(host), publicUrl, host);
});

t.test('behind a wildcard address it is the address of the connection', async (t) => {
  const originOf = createOrigins({ publicUrl: null, allowedHosts: [] });
  const server = createServer((request, response) => void response.end(originOf(request)));
  server.listen(0, '::');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  for (const origin of [`http://127.0.0.1:${port}`, `http://127.0.0.2:${port}`, `http://[::1]:${port}`]) {
    const answer = await fetch(origin, { headers: { connection: 'close' } });
    t.equal(await answer.text(), origin);
  }
});

t.test('rejects HTTP/1.1 without a Host header in the usual envelope', async (t) => {
  const { baseUrl } = await startTestService(t);
  const { socket, text } = await rawRequest(t, { baseUrl });
  socket.write('GET /api/v2/health HTTP/1.1\r\n\r\n');
  await until('the answer', () => text().endsWith('}}'));
  t.match(text(), /^HTTP\/1\.1 400 /);
  t.match(text(), /^x-request-id: [0-9a-f-]{36}\r$/m);
  t.match(text(), /"code":"VALIDATION_INVALID_BODY"/);
});
