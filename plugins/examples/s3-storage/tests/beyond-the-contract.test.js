import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import test, { after } from 'node:test';
import plugin from '../index.js';
import { openBucket } from '../src/bucket.js';
import { keysOf } from '../src/keys.js';
import { seal } from '../src/sealing.js';
import { openServer } from './s3.js';

/**
 * @import { AddressInfo } from 'node:net'
 * @import { Log } from 'cadre/plugin'
 * @import { S3Options } from '../src/bucket.js'
 */

const server = await openServer();
after(server.close);

/** @type {Log} */
const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };

const maxBytes = 1024 * 1024;
const hour = 3600;
const seconds = () => Math.floor(Date.now() / 1000);

/** @param {S3Options} options */
const start = (options) =>
  plugin.start({
    options,
    log,
    secret: new Uint8Array(32),
    role: 'api',
    dataDir: tmpdir(),
    maxUploadBytes: maxBytes,
    maxDeliveries: 1,
    processName: 'test',
    now: () => Date.now(),
    uploads: { begin: async () => 'accepted', more: async () => 'accepted', end: async () => true },
  });

/**
 * @param {string} uploadUrl
 * @param {string} body
 */
const upload = (uploadUrl, body) => fetch(uploadUrl, { method: 'PUT', body });

test('wrong keys and a missing bucket stop the start; no message contains a secret', async () => {
  const options = server.options();
  for (const [wrong, message] of /** @type {const} */ ([
    [{ secretAccessKey: 'hunter2-hunter2' }, /403.*check accessKeyId/],
    [{ accessKeyId: 'nobody', secretAccessKey: 'hunter2-hunter2' }, /403.*check accessKeyId/],
    [{ bucket: 'no-such-bucket' }, /There is no bucket no-such-bucket/],
  ])) {
    const error = await start({ ...options, ...wrong }).then(
      () => assert.fail(`it started: ${message}`),
      (/** @type {unknown} */ error) => error,
    );
    assert.ok(error instanceof Error);
    assert.match(error.message, message);
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause}`, /hunter2/);
  }
});

test('a service that is down does not stop the start; health and calls report it', async () => {
  const { port } = await start({ ...server.options(), endpoint: 'http://127.0.0.1:2' });
  assert.deepEqual(await port.health(), { ok: false, reason: 'S3 does not answer (ECONNREFUSED)' });
  await assert.rejects(port.get('a'), { code: 'STORAGE_FAILED' });
  await assert.rejects(port.open('a', 'x'), { code: 'STORAGE_FAILED' });
});

test('an upload URL contains no secret, and its key is never read', async () => {
  const options = server.options();
  const { port } = await start(options);
  const { uploadUrl } = await port.signUpload('agents/a', {
    expiresAt: seconds() + hour,
    origin: 'http://x',
  });
  const url = new URL(uploadUrl);
  assert.equal(url.origin, port.uploadOrigin);
  assert.equal(url.pathname, `/${options.bucket}/${options.prefix}/arriving/agents/a`);
  assert.ok(options.secretAccessKey !== options.accessKeyId || !url.searchParams.has('secretAccessKey'));
  assert.equal(url.searchParams.get('X-Amz-SignedHeaders'), 'host', 'the client may send any Content-Type');
  await upload(uploadUrl, 'unsealed');
  assert.equal(await port.get('agents/a'), null);
});

test('a URL requested for longer than S3 allows gets the maximum', async () => {
  const { port } = await start(server.options());
  const expiresAt = seconds() + 30 * 24 * hour;
  const { uploadUrl } = await port.signUpload('agents/a', { expiresAt, origin: 'http://x' });
  assert.equal(new URL(uploadUrl).searchParams.get('X-Amz-Expires'), String(7 * 24 * hour));
  assert.equal((await upload(uploadUrl, 'early enough')).status, 200);
});

test('an upload that arrives while another is sealed is sealed and reported itself', async () => {
  const options = server.options();
  const { port } = await start(options);
  const { uploadUrl } = await port.signUpload('a', { expiresAt: seconds() + hour, origin: 'http://x' });
  await upload(uploadUrl, 'first');
  const bucket = openBucket(options);
  const keys = { arriving: keysOf(options.prefix).arriving('a'), kept: keysOf(options.prefix).kept('a') };
  let looks = 0;
  /** @type {typeof bucket.copy} */
  const copy = async (from, to, etag) => {
    looks += 1;
    if (looks > 1) return bucket.copy(from, to, etag);
    await upload(uploadUrl, 'the second');
    return (await bucket.look(from))?.etag === etag; // as a server does for x-amz-copy-source-if-match
  };
  const sealed = await seal({ ...bucket, copy }, keys, maxBytes);
  assert.equal(sealed?.bytes, 'the second'.length);
  assert.equal((await port.get('a'))?.toString(), 'the second');
  assert.equal(await bucket.look(keys.arriving), null, 'nothing is left behind');
});

test('two installations share a bucket, each with its prefix', async () => {
  const [mine, other] = await Promise.all([start(server.options()), start(server.options())]);
  const long = `agents/${'x'.repeat(450)}/end`;
  await mine.port.put(long, Buffer.from('mine'));
  assert.equal(await other.port.get(long), null);
  const page = { before: seconds() + hour, after: null, limit: 10 };
  assert.deepEqual(await mine.port.list?.(page), { paths: [long], next: null });
  assert.deepEqual(await other.port.list?.(page), { paths: [], next: null });
});

test('a truncated response fails with STORAGE_FAILED', async () => {
  const breaking = createServer((incoming, response) => {
    const { method, headers } = incoming;
    const answer = request(server.options().endpoint + incoming.url, { method, headers }, (real) => {
      response.writeHead(real.statusCode ?? 500, real.headers);
      real.on('error', () => undefined);
      if (incoming.method !== 'GET') real.pipe(response);
      else real.once('data', (chunk) => response.write(chunk.subarray(0, 10), () => response.destroy()));
    });
    incoming.pipe(answer);
  }).listen(0, '127.0.0.1');
  await once(breaking, 'listening');
  after(() => breaking.close());
  const options = server.options();
  const { port: whole } = await start(options);
  await whole.put('a', Buffer.alloc(200_000));
  const address = /** @type {AddressInfo} */ (breaking.address());
  const { port } = await start({ ...options, endpoint: `http://127.0.0.1:${address.port}` });
  await assert.rejects(port.get('a'), { code: 'STORAGE_FAILED' });
});
