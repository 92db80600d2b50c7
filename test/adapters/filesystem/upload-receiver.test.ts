import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Test } from 'tap';
import { filesystem } from '../../../adapters/filesystem/index.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { Storage } from '../../../core/ports/storage.port.js';
import t from '../../support/t.js';
import { listen, raw, until } from './upload-client.js';

/** Large enough for a body beyond it to exceed the buffers of a connection. */
const maxBytes = 4_000_000;

async function start(t: Test, options: { checksContinue?: boolean } = {}) {
  const dataDir = t.testdir();
  const started = await filesystem.start({
    options: {},
    log: silentLog,
    role: 'api',
    dataDir,
    maxUploadBytes: maxBytes,
    maxDeliveries: 3,
    secret: randomBytes(32),
    processName: 'test',
    now: () => Date.now(),
  });
  t.teardown(() => started.stop({ deadlineMs: 0 }));
  const storage = started.port;
  const origin = await listen(t, (req, res) => storage.receive?.(req, res), options.checksContinue);
  const sign = async (path = 'a'): Promise<string> =>
    (await storage.signUpload(path, { expiresAt: Date.now() / 1000 + 60, origin })).uploadUrl;
  const temporaries = () => readdir(join(dataDir, 'uploads', 'temporary'));
  return { started, storage, origin, sign, temporaries };
}

const seal = (storage: Storage) => storage.sealUpload('a', { maxBytes });

t.test('an accepted upload returns 201 with a request id, and is not cacheable', async (t) => {
  const { sign } = await start(t);
  const response = await fetch(await sign(), {
    method: 'PUT',
    body: 'x',
    headers: { 'x-request-id': 'my.id-1' },
  });
  t.equal(response.status, 201);
  t.same(await response.json(), {});
  t.equal(response.headers.get('x-request-id'), 'my.id-1');
  t.equal(response.headers.get('cache-control'), 'no-store');
});

t.test('other methods are rejected: only PUT works', async (t) => {
  const { sign } = await start(t);
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) {
    const response = await fetch(await sign(), { method });
    await response.arrayBuffer();
    t.equal(response.status, 405);
    t.equal(response.headers.get('allow'), 'PUT');
  }
});

t.test("a forged URL returns an error like the API's", async (t) => {
  const { origin } = await start(t);
  for (const token of ['', 'x', 'a.b.c', 'W10.W10', '%00', `${'A'.repeat(5000)}.x`, '../a']) {
    const response = await fetch(`${origin}/uploads/${token}`, {
      method: 'PUT',
      body: 'x',
      headers: { 'x-request-id': 'a b' },
    });
    t.equal(response.status, 403);
    t.match(await response.json(), { error: { code: 'UPLOAD_URL_INVALID', message: String } });
    t.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    t.match(response.headers.get('x-request-id'), /^[0-9a-f-]{36}$/, 'a malformed request id is replaced');
  }
});

t.test('rejects a URL of another installation; its own URLs work after a restart', async (t) => {
  const [ours, theirs] = [await start(t), await start(t)];
  const foreign = (await theirs.sign()).replace(theirs.origin, ours.origin);
  t.equal((await fetch(foreign, { method: 'PUT', body: 'x' })).status, 403);
  t.equal(
    (await fetch(foreign.replace(ours.origin, theirs.origin), { method: 'PUT', body: 'x' })).status,
    201,
  );
});

t.test(
  'rejects a body above the limit, whatever its encoding, and a client that continues sending sees why',
  async (t) => {
    const { sign, storage, temporaries } = await start(t);
    const big = Buffer.alloc(3 * maxBytes, 1);
    const announced = await raw(await sign(), [`content-length: ${big.length}`], big);
    t.match(announced, /^HTTP\/1\.1 413 .*VALIDATION_INVALID_BODY/s);
    const chunks = Buffer.concat([
      Buffer.from(`${big.length.toString(16)}\r\n`),
      big,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    t.match(await raw(await sign(), ['transfer-encoding: chunked'], chunks), /^HTTP\/1\.1 413 /);
    const closing = await raw(await sign(), [`content-length: ${big.length}`, 'connection: close'], big);
    t.match(closing, /^HTTP\/1\.1 413 /);
    const response = await fetch(await sign(), { method: 'PUT', body: big });
    t.equal(response.status, 413);
    t.same(await temporaries(), []);
    t.equal(await seal(storage), null);
    const exact = await fetch(await sign(), { method: 'PUT', body: big.subarray(0, maxBytes) });
    t.equal(exact.status, 201);
  },
);

t.test('accepts a chunked upload', async (t) => {
  const { sign, storage } = await start(t);
  t.match(
    await raw(await sign(), ['transfer-encoding: chunked'], '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'),
    /^HTTP\/1\.1 201 /,
  );
  t.equal((await seal(storage))?.bytes, 5);
});

t.test('Expect: 100-continue: sent once for a valid upload', async (t) => {
  for (const checksContinue of [false, true]) {
    const { sign } = await start(t, { checksContinue });
    const answer = await raw(await sign(), ['expect: 100-continue', 'content-length: 3'], 'abc');
    t.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  }
});

t.test('Expect: 100-continue: not sent for a rejected upload', async (t) => {
  const { sign } = await start(t, { checksContinue: true });
  const answer = await raw(await sign(), ['expect: 100-continue', `content-length: ${maxBytes + 1}`], '');
  t.match(answer, /^HTTP\/1\.1 413 .*connection: close/is);
});

t.test('a registered upload cannot be changed', async (t) => {
  const { sign, storage } = await start(t);
  const url = await sign();
  await fetch(url, { method: 'PUT', body: 'first' });
  const sealed = await seal(storage);
  const response = await fetch(url, { method: 'PUT', body: 'other' });
  t.equal(response.status, 409);
  t.match(await response.json(), { error: { code: 'VALIDATION_INVALID_BODY' } });
  t.same(await seal(storage), sealed);
});

t.test('an incomplete upload leaves no file', async (t) => {
  const { sign, storage, temporaries } = await start(t);
  const sending = request(await sign(), { method: 'PUT', headers: { 'content-length': 5000 } });
  sending.on('error', () => undefined);
  sending.write(Buffer.alloc(1000));
  await until(async () => (await temporaries()).length === 1);
  sending.destroy();
  await until(async () => (await temporaries()).length === 0);
  t.equal(await seal(storage), null);
});

t.test('deleting the object during the upload cancels it', async (t) => {
  const { sign, storage, temporaries } = await start(t);
  const sending = request(await sign(), { method: 'PUT', headers: { 'content-length': 2 } });
  sending.write('a');
  await until(async () => (await temporaries()).length === 1);
  await storage.delete('a');
  sending.end('b');
  const [response] = await once(sending, 'response');
  t.equal(response.statusCode, 404);
  response.resume();
  t.equal(await seal(storage), null);
});

t.test('stopping waits for a running upload, rejects new ones, and aborts it at the deadline', async (t) => {
  const { started, sign, storage, temporaries } = await start(t);
  const [running, hanging] = [await sign('a'), await sign('b')].map((url) =>
    request(url, { method: 'PUT', headers: { 'content-length': 2 } }),
  );
  const late = await sign('c');
  if (!running || !hanging) throw new Error('no requests');
  const cut = new Promise((resolve) => hanging.on('error', resolve));
  for (const sending of [running, hanging]) sending.write('x');
  await until(async () => (await temporaries()).length === 2);
  const stopped = started.stop({ deadlineMs: 300 });
  t.equal((await fetch(late, { method: 'PUT', body: 'x' })).status, 503);
  running.end('y');
  const [response] = await once(running, 'response');
  t.equal(response.statusCode, 201);
  response.resume();
  await cut;
  await stopped;
  t.same(await temporaries(), []);
  await t.rejects(seal(storage), { code: 'STORAGE_FAILED' });
});
