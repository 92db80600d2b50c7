import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { silentLog } from '../../core/ports/log.port.js';
import type { PluginContext, StoragePlugin } from '../../core/ports/plugin.port.js';
import type { Storage, StorageErrorCode } from '../../core/ports/storage.port.js';

/** Declares one test; `test` of node:test, and of tap, fit. */
export type DeclareTest = (name: string, body: () => Promise<void>) => unknown;

/** The plugin under test with valid options; called once per test, so that tests need not share a folder or container. */
export type MakeStorage<Options> = () => Promise<{ plugin: StoragePlugin<Options>; options: Options }>;

const mebibyte = 1024 * 1024;
const maxUploadBytes = 6 * mebibyte;
const hour = 3600;

interface Subject {
  storage: Storage;
  path: string;
  /** @param secondsLeft How long the URL is to be valid; negative: since when it is not. */
  sign(path?: string, secondsLeft?: number): Promise<{ uploadUrl: string; token: string }>;
  seal(path?: string): ReturnType<Storage['sealUpload']>;
  /** The same installation, seen from another process. */
  startWorker(): Promise<Storage>;
  stop(): Promise<void>;
}

/** Every promise of the storage port, as tests that any plugin must pass. Needs nothing but Node. */
export function describeStorageContract<Options>(
  declare: { test: DeclareTest },
  make: MakeStorage<Options>,
): void {
  const test = (name: string, body: (subject: Subject) => Promise<void>): unknown =>
    declare.test(name, () => withSubject(make, body));

  test('bytes PUT with only Content-Type are sealed and streamed back', async ({
    storage,
    path,
    sign,
    seal,
  }) => {
    const bytes = randomBytes(300_000);
    const { uploadUrl, token } = await sign();
    assert.ok(token.length > 0 && uploadUrl.includes(token), 'the token is embedded in the URL');
    assertTaken(await put(uploadUrl, bytes));
    const sealed = await seal();
    assert.equal(sealed?.bytes, bytes.byteLength);
    assertSame(await streamed(storage, path, sealed.etag), bytes);
  });

  test('an upload of several megabytes arrives whole', async ({ storage, path, sign, seal }) => {
    const bytes = randomBytes(maxUploadBytes);
    assertTaken(await put((await sign()).uploadUrl, bytes));
    const sealed = await seal();
    assert.equal(sealed?.bytes, bytes.byteLength);
    assertSame(await streamed(storage, path, sealed.etag), bytes);
  });

  test('nothing uploaded is nothing to seal', async ({ sign, seal }) => {
    assert.equal(await seal(), null);
    await sign();
    assert.equal(await seal(), null);
  });

  test('an empty upload is refused or reported as empty', async ({ sign, seal }) => {
    await put((await sign()).uploadUrl, Buffer.alloc(0));
    assert.equal((await seal())?.bytes ?? 0, 0);
  });

  test('sealing again, also at the same time, gives the same answer', async ({ sign, seal }) => {
    assertTaken(await put((await sign()).uploadUrl, Buffer.from('once')));
    const [first, ...others] = await Promise.all([seal(), seal(), seal()]);
    assert.equal(first?.bytes, 4);
    for (const other of [...others, await seal()]) assert.deepEqual(other, first);
  });

  test('after sealing, the upload URL changes nothing unnoticed', async ({ storage, path, sign, seal }) => {
    const { uploadUrl } = await sign();
    const bytes = Buffer.from('the first ones');
    assertTaken(await put(uploadUrl, bytes));
    const sealed = await seal();
    assert.ok(sealed);
    await put(uploadUrl, Buffer.from('the other ones'));
    await put((await sign()).uploadUrl, Buffer.from('other ones yet'));
    assert.deepEqual(await seal(), sealed);
    await assertUnchanged(storage, path, sealed.etag, bytes);
    await put(uploadUrl, Buffer.from('as their own'), { 'x-ms-blob-type': 'BlockBlob' });
    await assertUnchanged(storage, path, sealed.etag, bytes);
  });

  test('an altered or foreign token opens nothing', async ({ path, sign, seal }) => {
    const other = `${path}-other`;
    const { uploadUrl, token } = await sign();
    const foreign = await sign(other);
    const altered = [
      ...[0, token.length >> 1].map((at) => flip(token, at)),
      token.slice(0, -4),
      `${token}AAAA`,
      'x',
    ];
    const urls = altered.map((text) => uploadUrl.replace(token, text));
    if (uploadUrl.includes(path))
      urls.push(uploadUrl.replace(path, other), foreign.uploadUrl.replace(other, path));
    for (const url of urls) assertRefused(await put(url, Buffer.from('stolen')), url);
    assert.equal(await seal(), null);
    assert.equal(await seal(other), null);
  });

  test('an expired URL takes nothing', async ({ sign, seal }) => {
    assertRefused(
      await put((await sign(undefined, -1)).uploadUrl, Buffer.from('late')),
      'expired a second ago',
    );
    assertRefused(
      await put((await sign(undefined, -hour)).uploadUrl, Buffer.from('late')),
      'expired an hour ago',
    );
    assert.equal(await seal(), null);
  });

  test('an upload URL reads and deletes nothing, before and after sealing', async ({
    storage,
    path,
    sign,
    seal,
  }) => {
    const { uploadUrl } = await sign();
    const bytes = Buffer.from('for the worker only');
    const attempt = async (): Promise<void> => {
      for (const method of ['GET', 'HEAD', 'DELETE', 'POST']) {
        for (const url of [uploadUrl, uploadUrl.replace(/&comp=.*$/, '')]) {
          const response = await fetch(url, { method });
          const text = await response.text();
          assert.ok(
            response.status >= 400 && !text.includes('worker only'),
            `${method} gave ${response.status}`,
          );
        }
      }
    };
    assertTaken(await put(uploadUrl, bytes));
    await attempt();
    const sealed = await seal();
    assert.ok(sealed);
    await attempt();
    assertSame(await streamed(storage, path, sealed.etag), bytes);
  });

  test('an upload over the limit is refused or reported with its size', async ({
    storage,
    path,
    sign,
    seal,
  }) => {
    const response = await put((await sign()).uploadUrl, Buffer.alloc(maxUploadBytes + 1, 1));
    const sealed = await seal();
    if (response.ok) assert.equal(sealed?.bytes, maxUploadBytes + 1);
    else assert.equal(sealed, null);
    const small = `${path}-small`;
    assertTaken(await put((await sign(small)).uploadUrl, Buffer.alloc(11)));
    assert.equal((await storage.sealUpload(small, { maxBytes: 10 }))?.bytes, 11);
  });

  test('an upload that breaks off leaves nothing', async ({ sign, seal }) => {
    await breakOff((await sign()).uploadUrl, 200_000, Buffer.alloc(100_000, 1));
    assert.equal(await seal(), null);
  });

  test('uploads to one URL at the same time never mix', async ({ storage, path, sign, seal }) => {
    const { uploadUrl } = await sign();
    const candidates = [1, 2, 3].map((fill) => Buffer.alloc(mebibyte, fill));
    for (const response of await Promise.all(candidates.map((bytes) => put(uploadUrl, bytes))))
      assertTaken(response);
    const sealed = await seal();
    assert.ok(sealed);
    const stored = await streamed(storage, path, sealed.etag);
    assert.ok(candidates.some((bytes) => bytes.equals(stored)));
  });

  test('only the sealed object opens', async ({ storage, path, sign, seal }) => {
    await assertFails(storage.open(path, 'never-was'), 'OBJECT_MISSING');
    assertTaken(await put((await sign()).uploadUrl, Buffer.from('unsealed')));
    await assertFails(storage.open(path, 'not-yet'), 'OBJECT_MISSING');
    const sealed = await seal();
    assert.ok(sealed);
    for (const etag of ['another', '', '"', `${sealed.etag}0`])
      await assertFails(storage.open(path, etag), 'OBJECT_CHANGED');
    await storage.put(path, Buffer.from('replaced'));
    await assertFails(storage.open(path, sealed.etag), 'OBJECT_CHANGED');
    await storage.delete(path);
    await assertFails(storage.open(path, sealed.etag), 'OBJECT_MISSING');
  });

  test('put, get and replace: empty, small and large binary objects', async ({ storage, path }) => {
    assert.equal(await storage.get(path), null);
    for (const bytes of [randomBytes(5 * mebibyte), Buffer.alloc(0), Buffer.from([0, 255, 10, 13])]) {
      await storage.put(path, bytes);
      assertSame((await storage.get(path)) ?? Buffer.from('no object'), bytes);
    }
    const window = new Uint8Array(randomBytes(64).buffer, 8, 16);
    await storage.put(path, window);
    assert.deepEqual(await storage.get(path), Buffer.from(window));
  });

  test('objects whose paths look alike stay apart', async ({ storage, path }) => {
    const paths = [
      path,
      `${path}/a`,
      `${path}/a/b`,
      `${path}.a`,
      `${path}-a`,
      `${path}/${'long-'.repeat(60)}end`,
      `${path}/...`,
    ];
    for (const each of paths) await storage.put(each, Buffer.from(each));
    for (const each of paths) assert.equal((await storage.get(each))?.toString(), each);
    for (const each of paths) await storage.delete(each);
  });

  test('a path that core would never make is refused by every call', async ({ storage, sign, seal }) => {
    for (const path of [
      '',
      '.',
      '..',
      '../up',
      'a/../../up',
      'a/./b',
      '/root',
      'a//b',
      'a/',
      'a b',
      'a\\b',
      'a\0b',
      'é',
      'a?b',
    ]) {
      const calls = [
        sign(path),
        seal(path),
        storage.open(path, 'x'),
        storage.get(path),
        storage.put(path, Buffer.alloc(1)),
      ];
      for (const call of [...calls, storage.delete(path)]) await assertFails(call, 'STORAGE_FAILED');
    }
  });

  test('deleting takes sealed, unsealed and absent objects alike', async ({ storage, path, sign, seal }) => {
    await storage.delete(path);
    const { uploadUrl } = await sign();
    assertTaken(await put(uploadUrl, Buffer.from('unsealed')));
    await storage.delete(path);
    assert.equal(await seal(), null);
    assertTaken(await put(uploadUrl, Buffer.from('sealed')));
    assert.ok(await seal());
    await storage.delete(path);
    await storage.delete(path);
    assert.equal(await seal(), null);
    assert.equal(await storage.get(path), null);
  });

  test('a worker, without the secret, reads what was sealed and hands back results', async (subject) => {
    const { storage, path, sign, seal } = subject;
    const worker = await subject.startWorker();
    assertTaken(await put((await sign()).uploadUrl, Buffer.from('to read')));
    const sealed = await seal();
    assert.ok(sealed);
    assert.equal((await streamed(worker, path, sealed.etag)).toString(), 'to read');
    await worker.put(`${path}/result`, Buffer.from('done'));
    assert.equal((await storage.get(`${path}/result`))?.toString(), 'done');
    assert.deepEqual(await worker.health(), { ok: true });
  });

  test('a reader may leave in the middle', async ({ storage, path, sign, seal }) => {
    assertTaken(await put((await sign()).uploadUrl, randomBytes(2 * mebibyte)));
    const sealed = await seal();
    assert.ok(sealed);
    for await (const _ of await storage.open(path, sealed.etag)) break;
    (await storage.open(path, sealed.etag)).destroy();
    assert.equal((await streamed(storage, path, sealed.etag)).byteLength, 2 * mebibyte);
  });

  test('health is good, and after stopping (twice) every call rejects', async ({
    storage,
    path,
    sign,
    seal,
    stop,
  }) => {
    assert.deepEqual(await storage.health(), { ok: true });
    await stop();
    await stop();
    const calls = [
      sign(),
      seal(),
      storage.open(path, 'x'),
      storage.put(path, Buffer.alloc(1)),
      storage.get(path),
    ];
    for (const call of [...calls, storage.delete(path), storage.health()])
      await assertFails(call, 'STORAGE_FAILED');
  });
}

async function withSubject<Options>(
  make: MakeStorage<Options>,
  body: (subject: Subject) => Promise<void>,
): Promise<void> {
  const { plugin, options } = await make();
  const dataDir = await mkdtemp(join(tmpdir(), 'storage-contract-'));
  const common = {
    options,
    log: silentLog,
    dataDir,
    maxUploadBytes,
    maxDeliveries: 3,
    processName: 'contract',
  };
  const stops: (() => Promise<void>)[] = [];
  const start = async (who: Pick<PluginContext<Options>, 'role' | 'secret'>): Promise<Storage> => {
    const started = await plugin.start({ ...common, ...who });
    stops.push(() => started.stop({ deadlineMs: 1000 }));
    return started.port;
  };
  const storage = await start({ role: 'api', secret: randomBytes(32) });
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    if (storage.receive && incoming.url?.startsWith('/uploads/')) storage.receive(incoming, response);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own = `contract/${randomUUID()}.bin`;
  try {
    await body({
      storage,
      path: own,
      sign: (path = own, secondsLeft = hour) =>
        storage.signUpload(path, { expiresAt: Math.floor(Date.now() / 1000) + secondsLeft, origin }),
      seal: (path = own) => storage.sealUpload(path, { maxBytes: maxUploadBytes }),
      startWorker: () => start({ role: 'worker', secret: new Uint8Array(0) }),
      stop: async () => {
        for (const stop of stops) await stop();
      },
    });
  } finally {
    for (const stop of stops) await stop();
    server.closeAllConnections();
    server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function put(url: string, body: Buffer, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/pdf', ...headers },
    body,
  });
  await response.arrayBuffer();
  return response;
}

/** Announces more than it sends, and hangs up once that is on its way. */
async function breakOff(url: string, announced: number, bytes: Buffer): Promise<void> {
  const headers = { 'content-type': 'application/pdf', 'content-length': announced };
  const sending = request(url, { method: 'PUT', headers });
  sending.on('error', () => undefined);
  await new Promise((sent) => sending.write(bytes, sent));
  const closed = new Promise((resolve) => sending.once('close', resolve));
  sending.destroy();
  await closed;
}

async function streamed(storage: Storage, path: string, etag: string): Promise<Buffer> {
  const stream: Readable = await storage.open(path, etag);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The object still is what it was, or opening it says that it is not. */
async function assertUnchanged(storage: Storage, path: string, etag: string, bytes: Buffer): Promise<void> {
  try {
    assertSame(await streamed(storage, path, etag), bytes);
  } catch (error) {
    if (codeOf(error) !== 'OBJECT_CHANGED') throw error;
  }
}

const flip = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;

const assertTaken = (response: Response): void =>
  assert.ok(response.ok, `PUT was answered ${response.status}`);

const assertRefused = (response: Response, what: string): void =>
  assert.ok(response.status >= 400 && response.status < 500, `${response.status}: ${what}`);

/** By digest, because a difference of megabytes shows nobody anything. */
function assertSame(actual: Buffer, expected: Buffer): void {
  const [a, b] = [actual, expected].map(
    (bytes) => `${bytes.byteLength} ${createHash('sha256').update(bytes).digest('hex')}`,
  );
  assert.equal(a, b);
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

async function assertFails(call: Promise<unknown>, code: StorageErrorCode): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.equal(codeOf(error), code, String(error));
    return true;
  });
}
