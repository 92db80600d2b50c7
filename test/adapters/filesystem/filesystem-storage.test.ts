import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { link, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Test } from 'tap';
import { fileName } from '../../../adapters/filesystem/folder.js';
import { filesystem } from '../../../adapters/filesystem/index.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { PluginContext } from '../../../core/ports/plugin.port.js';
import t from '../../support/t.js';

const maxBytes = 100_000;
const day = 24 * 60 * 60;

const context = (dataDir: string, changes: Partial<PluginContext<{ folder?: string }>> = {}) => ({
  options: {},
  log: silentLog,
  role: 'api' as const,
  dataDir,
  maxUploadBytes: maxBytes,
  maxDeliveries: 3,
  secret: randomBytes(32),
  processName: 'test',
  now: () => Date.now(),
  ...changes,
});

async function start(t: Test) {
  const dataDir = t.testdir();
  const started = await filesystem.start(context(dataDir));
  const storage = started.port;
  const server = createServer((req, res) => storage.receive?.(req, res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    await started.stop({ deadlineMs: 0 });
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = (kind: 'objects' | 'incoming') => join(dataDir, 'uploads', kind, fileName('a'));
  return {
    storage,
    file,
    upload: async (bytes: string) => {
      const { uploadUrl } = await storage.signUpload('a', { expiresAt: Date.now() / 1000 + 60, origin });
      return fetch(uploadUrl, { method: 'PUT', body: bytes });
    },
    seal: () => storage.sealUpload('a', { maxBytes }),
  };
}

t.test('detects a sealed file that was replaced, edited or truncated on disk', async (t) => {
  const { storage, file, upload, seal } = await start(t);
  await upload('original');
  const etag = (await seal())?.etag ?? '';
  const path = file('objects');
  for (const tamper of [
    () => writeFile(path, 'tampered'),
    () => truncate(path, 3),
    () => writeFile(path, ''),
  ]) {
    await tamper();
    await t.rejects(storage.open('a', etag), { code: 'OBJECT_CHANGED' });
  }
  await rm(path);
  await t.rejects(storage.open('a', etag), { code: 'OBJECT_MISSING' });
});

t.test('a file that shrinks while it is read ends in an error', async (t) => {
  const { storage, file, upload, seal } = await start(t);
  await upload('original');
  const stream = await storage.open('a', (await seal())?.etag ?? '');
  await truncate(file('objects'), 0);
  await t.rejects(stream.toArray(), { code: 'OBJECT_CHANGED' });
});

t.test('a crash in the middle of sealing changes neither the result nor the object', async (t) => {
  const { storage, file, upload, seal } = await start(t);
  await upload('original');
  await link(file('incoming'), file('objects')); // sealed, but the process died before it removed the upload
  const sealed = await seal();
  t.equal((await upload('too late')).status, 409);
  t.same(await seal(), sealed);
  t.equal(
    Buffer.concat(await (await storage.open('a', sealed?.etag ?? '')).toArray()).toString(),
    'original',
  );
});

t.test('an upload that arrives after sealing is never visible', async (t) => {
  const { storage, file, upload, seal } = await start(t);
  await upload('original');
  const sealed = await seal();
  for (const late of ['slipped in', '', 'x'.repeat(maxBytes + 1)]) {
    await writeFile(file('incoming'), late);
    t.same(await seal(), sealed);
  }
  t.equal((await storage.get('a'))?.toString(), 'original');
  await storage.delete('a');
  t.equal(await seal(), null);
});

t.test('an empty or too large upload may be repeated', async (t) => {
  const { storage, upload, seal } = await start(t);
  await upload('');
  t.equal((await seal())?.bytes, 0);
  await upload('x'.repeat(11));
  t.equal((await storage.sealUpload('a', { maxBytes: 10 }))?.bytes, 11);
  await upload('good');
  t.equal((await seal())?.bytes, 4);
  t.equal((await upload('more')).status, 409);
});

t.test('equal bytes uploaded again are a different object', async (t) => {
  const { storage, upload, seal } = await start(t);
  const etags = new Set<string>();
  for (let round = 0; round < 5; round++) {
    await upload('same bytes');
    etags.add((await seal())?.etag ?? '');
    await storage.delete('a');
  }
  t.equal(etags.size, 5);
});

t.test('the start deletes leftovers, only in API processes', async (t) => {
  const dataDir = t.testdir({
    uploads: {
      temporary: { old: 'x', fresh: 'x' },
      incoming: { forgotten: 'x', recent: 'x' },
      objects: { ancient: 'x' },
    },
  });
  const at = (...names: string[]) => join(dataDir, 'uploads', ...names);
  const age = async (days: number, ...names: string[]) => {
    const then = Date.now() / 1000 - days * day;
    await utimes(at(...names), then, then);
  };
  await age(2, 'temporary', 'old');
  await age(8, 'incoming', 'forgotten');
  await age(6, 'incoming', 'recent');
  await age(1000, 'objects', 'ancient');
  const worker = await filesystem.start(context(dataDir, { role: 'worker', secret: new Uint8Array(0) }));
  t.equal(worker.port.receive, undefined);
  t.same(await readdir(at('temporary')), ['fresh', 'old']);
  const api = await filesystem.start(context(dataDir));
  t.same(await readdir(at('temporary')), ['fresh']);
  t.same(await readdir(at('incoming')), ['recent']);
  t.same(await readdir(at('objects')), ['ancient']);
  await worker.stop({ deadlineMs: 0 });
  await api.stop({ deadlineMs: 0 });
});

t.test('files are only stored below the configured folder', async (t) => {
  const dataDir = t.testdir({});
  const elsewhere = t.testdir({});
  for (const [folder, root] of [
    [undefined, join(dataDir, 'uploads')],
    ['files/here', join(dataDir, 'files/here')],
    [join(elsewhere, 'there'), join(elsewhere, 'there')],
  ] as const) {
    const options = folder === undefined ? {} : { folder };
    const { port, stop } = await filesystem.start(context(dataDir, { options }));
    await port.put('a/b', Buffer.from('x'));
    t.equal((await readFile(join(root, 'objects', fileName('a/b')))).toString(), 'x');
    await stop({ deadlineMs: 0 });
  }
});

t.test('an unusable folder prevents the start, or makes the health bad', async (t) => {
  const dataDir = t.testdir({ uploads: 'a file' });
  await t.rejects(filesystem.start(context(dataDir)), { code: 'STORAGE_FAILED', message: /EEXIST|ENOTDIR/ });
  const good = t.testdir({});
  const { port, stop } = await filesystem.start(context(good));
  await rm(join(good, 'uploads'), { recursive: true });
  const health = await port.health();
  t.match(health, { ok: false, reason: /ENOENT/ });
  t.notMatch(JSON.stringify(health), good);
  await t.rejects(port.put('a', Buffer.from('x')), { code: 'STORAGE_FAILED' });
  await stop({ deadlineMs: 0 });
});

t.test('an API process without a secret does not start; a worker needs none', async (t) => {
  const dataDir = t.testdir({});
  const secret = new Uint8Array(0);
  await t.rejects(filesystem.start(context(dataDir, { secret })), { code: 'STORAGE_FAILED' });
  const worker = await filesystem.start(context(dataDir, { secret, role: 'worker' }));
  const signed = worker.port.signUpload('a', {
    expiresAt: Date.now() / 1000 + 60,
    origin: 'http://127.0.0.1',
  });
  await t.rejects(signed, { code: 'STORAGE_FAILED' });
});

t.test('options are validated by the schema', async (t) => {
  const valid = new Ajv2020({ strict: true }).compile(filesystem.optionsSchema);
  t.ok(valid({}) && valid({ folder: '/srv/files' }));
  t.notOk(valid({ folder: '' }) || valid({ folder: 1 }) || valid({ fodler: 'typo' }));
});
