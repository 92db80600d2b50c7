import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Test } from 'tap';
import { createWebhookSender, type WebhookSettings } from '../../../workers/webhooks/deliver-webhook.task.js';
import { makeCertificates, opensslMissing } from '../../support/certificates.js';
import { scriptedSite } from '../../support/scripted-site.js';
import t from '../../support/t.js';
import { tempFolder } from '../../support/temp-folder.js';
import { failureFrom, never } from '../crawl/local-site.js';

const crawl = {
  resolve: {},
  timeoutMs: 5000,
  maxBytes: 1000,
  maxRedirects: 5,
  userAgent: 'CadreBot/1.0',
  perHostConcurrency: 1,
  perHostDelayMs: 0,
};
const nowhere = { resolve: async () => [{ address: '127.0.0.1', family: 4 }], isPublic: () => false };

async function setUp(t: Test, settings: Partial<WebhookSettings> = {}) {
  const site = await scriptedSite();
  const sender = createWebhookSender(
    crawl,
    { timeoutMs: 2000, allowPrivateAddresses: true, ...settings },
    { network: nowhere },
  );
  t.teardown(async () => {
    await sender.close();
    await site.close();
  });
  const deliver = (url: string) =>
    sender.deliver({ url, headers: { 'webhook-id': '1' }, body: '{"type":"x"}' }, never);
  return { site, sender, deliver };
}

t.test('any response counts, and redirects are not followed', async (t) => {
  const { site, deliver } = await setUp(t);
  site.serve('/ok', 'fine');
  t.strictSame(await deliver(`${site.origin}/ok`), { kind: 'answered', status: 200, body: 'fine' });
  const [{ headers } = { headers: {} }] = site.seen;
  t.match(headers, { 'webhook-id': '1', 'content-type': 'application/json', 'content-length': '12' });
  site.serve('/moved', '', { location: `${site.origin}/ok` }, 302);
  t.match(await deliver(`${site.origin}/moved`), { kind: 'answered', status: 302 });
  t.equal(site.visits('/ok'), 1);
  site.serve('/busy', 'later', { 'retry-after': '60' }, 503);
  t.match(await deliver(`${site.origin}/busy`), { status: 503, retryAfterMs: 60_000 });
});

t.test('skips a message that waited so long that another attempt has started', async (t) => {
  const { site, sender } = await setUp(t);
  site.serve('/ok', 'fine');
  const minutesAgo = (minutes: number) => ({
    url: `${site.origin}/ok`,
    headers: { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - minutes * 60) },
    body: '{}',
  });
  t.match(await failureFrom(sender.deliver(minutesAgo(11), never)), { code: 'TASK_FAILED' });
  t.equal(site.seen.length, 0);
  t.match(await sender.deliver(minutesAgo(9), never), { status: 200 });
});

t.test('reads only the beginning of a response', async (t) => {
  const { site, deliver } = await setUp(t);
  site.serve('/long', 'x'.repeat(1_000_000));
  const answer = await deliver(`${site.origin}/long`);
  t.match(answer, { status: 200, body: 'x'.repeat(1000) });
  site.serve('/packed', gzipSync('x'.repeat(1_000_000)), { 'content-encoding': 'gzip' });
  t.match(await deliver(`${site.origin}/packed`), { kind: 'answered', status: 200 });
});

t.test('rejects private addresses, by name and by number, unless they are allowed', async (t) => {
  const { site, deliver } = await setUp(t, { allowPrivateAddresses: false });
  site.serve('/ok', 'fine');
  for (const url of [`${site.origin}/ok`, `http://hooks.acme.com:${site.port}/ok`, 'http://169.254.169.254/'])
    t.match(await failureFrom(deliver(url)), { code: 'ADDRESS_REFUSED' }, url);
  t.equal(site.seen.length, 0);
});

t.test('a receiver that times out is a FETCH_TIMEOUT', async (t) => {
  const { site, deliver } = await setUp(t, { timeoutMs: 200 });
  site.on('/slow', () => {});
  t.match(await failureFrom(deliver(`${site.origin}/slow`)), { code: 'FETCH_TIMEOUT' });
});

/** A receiver that sends these bytes after each request on a connection. */
async function rawReceiver(t: Test, answer: string): Promise<{ origin: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes;
      if (!received.includes('{"type":"x"}')) return;
      received = '';
      socket.write(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine';

t.test('interim responses that nobody asked for are skipped', async (t) => {
  for (const interim of [
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 100 Continue\r\nserver: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 102 Processing\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n',
  ]) {
    const { deliver } = await setUp(t);
    const { origin } = await rawReceiver(t, interim + OK);
    for (let n = 0; n < 3; n += 1)
      t.strictSame(await deliver(origin), { kind: 'answered', status: 200, body: 'fine' }, interim);
  }
});

t.test('an interim response alone is no answer', async (t) => {
  const { deliver } = await setUp(t, { timeoutMs: 500 });
  const { origin } = await rawReceiver(t, 'HTTP/1.1 100 Continue\r\n\r\n');
  t.match(await failureFrom(deliver(origin)), { code: 'FETCH_TIMEOUT' });
});

t.test('a receiver must have a certificate that is trusted', { skip: opensslMissing() }, async (t) => {
  const { deliver } = await setUp(t);
  const { cert, key } = makeCertificates(tempFolder(t)).server;
  const options = { cert: readFileSync(cert), key: readFileSync(key) };
  const server = createHttpsServer(options, (_, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  t.match(await failureFrom(deliver(`https://localhost:${port}/`)), { code: 'TLS_FAILED' });
});
