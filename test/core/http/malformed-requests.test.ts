import { once } from 'node:events';
import { connect } from 'node:net';
import type { Test } from 'tap';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);
const UUID = /^x-request-id: [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/m;

/** Sends these bytes; returns the response when the server closes the connection. */
async function sent(t: Test, bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

const line = 'GET /api/v2/agents HTTP/1.1\r\n';
const cases: Record<string, string> = {
  'no HTTP at all': 'hello\r\n\r\n',
  'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
  'a header without a colon': `${line}host: a\r\nno colon here\r\n\r\n`,
  'two lengths': `${line}host: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n`,
  'a length and chunks': `${line}host: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
  'an unknown method': 'BREW /api/v2/agents HTTP/1.1\r\nhost: a\r\n\r\n',
  'headers of 20 KB': `${line}host: a\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
};

for (const [name, bytes] of Object.entries(cases)) {
  t.test(`${name}: 400 in the usual envelope, with a request id`, async (t) => {
    const text = await sent(t, bytes);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    t.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/);
    t.match(head, /^content-type: application\/json; charset=utf-8$/m);
    t.match(head, /^cache-control: no-store$/m);
    t.match(head, /^connection: close$/m);
    t.match(head.replaceAll('\r', ''), UUID);
    t.match(JSON.parse(body), { error: { code: 'VALIDATION_INVALID_BODY', message: /\.$/ } });
    t.equal((await service.api(null).get('/health')).status, 200, 'others are served');
  });
}
