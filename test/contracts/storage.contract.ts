import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { StorageErrorCode } from '../../core/ports/storage.port.js';

import { mustReject } from './must-reject.js';
import {
  assertRefused,
  assertSame,
  assertTaken,
  assertUnchanged,
  breakOff,
  flip,
  hour,
  listed,
  type MakeStorage,
  maxUploadBytes,
  mebibyte,
  put,
  type Subject,
  streamed,
  withSubject,
} from './storage.contract.subject.js';

/** Returns the first place from `at` that is not in a percent escape, which would no longer be one if it changed. */
const outsideEscapes = (text: string, at: number): number =>
  text.slice(at - 2, at + 1).includes('%') ? outsideEscapes(text, at + 1) : at;

export type { MakeStorage } from './storage.contract.subject.js';

const failed = { code: 'STORAGE_FAILED' } satisfies { code: StorageErrorCode };

/** Declares a test; compatible with `test` of node:test and of tap. */
export type DeclareTest = (name: string, body: () => Promise<void>) => unknown;

/** Tests every promise of the storage port for any plugin. Needs only Node. */
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

  test('an upload of several megabytes arrives complete', async ({ storage, path, sign, seal }) => {
    const bytes = randomBytes(maxUploadBytes);
    assertTaken(await put((await sign()).uploadUrl, bytes));
    const sealed = await seal();
    assert.equal(sealed?.bytes, bytes.byteLength);
    assertSame(await streamed(storage, path, sealed.etag), bytes);
  });

  test('without an upload there is nothing to seal', async ({ sign, seal }) => {
    assert.equal(await seal(), null);
    await sign();
    assert.equal(await seal(), null);
  });

  test('an empty upload is rejected or reported as empty', async ({ sign, seal }) => {
    await put((await sign()).uploadUrl, Buffer.alloc(0));
    assert.equal((await seal())?.bytes ?? 0, 0);
  });

  test('sealing again, also concurrently, returns the same result', async ({ sign, seal }) => {
    assertTaken(await put((await sign()).uploadUrl, Buffer.from('once')));
    const [first, ...others] = await Promise.all([seal(), seal(), seal()]);
    assert.equal(first?.bytes, 4);
    for (const other of [...others, await seal()]) assert.deepEqual(other, first);
  });

  test('after sealing, the upload URL cannot change anything unnoticed', async ({
    storage,
    path,
    sign,
    seal,
  }) => {
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

  test('rejects an altered or foreign token', async ({ path, sign, seal }) => {
    const other = `${path}-other`;
    const { uploadUrl, token } = await sign();
    const foreign = await sign(other);
    const altered = [
      ...[0, outsideEscapes(token, token.length >> 1)].map((at) => flip(token, at)),
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

  test('an expired URL accepts nothing', async ({ sign, seal }) => {
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

  test('an upload above the limit is rejected or reported with its size', async ({
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

  test('a storage that receives uploads asks before accepting one, and again before keeping it', async ({
    storage,
    sign,
    seal,
    gate,
  }) => {
    if (!storage.receive) return;
    const { uploadUrl } = await sign();
    for (const verdict of ['full', 'closed'] as const) {
      gate.verdict = verdict;
      assertRefused(await put(uploadUrl, Buffer.from('unwelcome')), verdict);
      assert.equal(await seal(), null);
    }
    gate.verdict = 'accepted';
    gate.isOpen = false;
    assertRefused(await put(uploadUrl, Buffer.from('too late')), 'withdrawn meanwhile');
    assert.equal(await seal(), null);
    gate.isOpen = true;
    assertRefused(await put(uploadUrl, Buffer.alloc(maxUploadBytes + 1)), 'too large');
    assertTaken(await put(uploadUrl, Buffer.from('accepted')));
    assert.equal(gate.arriving, 0, 'what was announced is taken back');
  });

  test('an incomplete upload leaves nothing behind', async ({ sign, seal }) => {
    await breakOff((await sign()).uploadUrl, 200_000, Buffer.alloc(100_000, 1));
    assert.equal(await seal(), null);
  });

  test('concurrent uploads to one URL never mix', async ({ storage, path, sign, seal }) => {
    const { uploadUrl } = await sign();
    const candidates = [1, 2, 3].map((fill) => Buffer.alloc(mebibyte, fill));
    for (const response of await Promise.all(candidates.map((bytes) => put(uploadUrl, bytes))))
      assertTaken(response);
    const sealed = await seal();
    assert.ok(sealed);
    const stored = await streamed(storage, path, sealed.etag);
    assert.ok(candidates.some((bytes) => bytes.equals(stored)));
  });

  test('only the sealed object can be opened', async ({ storage, path, sign, seal }) => {
    const opening = (what: string, etag: string, code: StorageErrorCode): Promise<void> =>
      mustReject(`storage.open() of ${what}`, () => storage.open(path, etag), { code });
    await opening('a missing object', 'never-was', 'OBJECT_MISSING');
    assertTaken(await put((await sign()).uploadUrl, Buffer.from('unsealed')));
    await opening('an upload that was never sealed', 'not-yet', 'OBJECT_MISSING');
    const sealed = await seal();
    assert.ok(sealed);
    for (const etag of ['another', '', '"', `${sealed.etag}0`])
      await opening(`another etag, ${JSON.stringify(etag)}`, etag, 'OBJECT_CHANGED');
    await storage.put(path, Buffer.from('replaced'));
    await opening('an object that was replaced', sealed.etag, 'OBJECT_CHANGED');
    await storage.delete(path);
    await opening('a deleted object', sealed.etag, 'OBJECT_MISSING');
  });

  test('put, get and replace: empty, small and large binary objects', async ({ storage, path }) => {
    assert.equal(await storage.get(path), null);
    for (const bytes of [randomBytes(5 * mebibyte), Buffer.alloc(0), Buffer.from([0, 255, 10, 13])]) {
      await storage.put(path, bytes);
      assertSame((await storage.get(path)) ?? Buffer.from('no object'), bytes);
    }
    const window = new Uint8Array(randomBytes(64).buffer, 8, 16);
    await storage.put(path, window);
    assertSame((await storage.get(path)) ?? Buffer.from('no object'), Buffer.from(window));
  });

  test('objects with similar paths are separate', async ({ storage, path }) => {
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

  test('a path that core would never make is rejected by every call', async ({ storage, sign, seal }) => {
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
      const calls = {
        signUpload: () => sign(path),
        sealUpload: () => seal(path),
        open: () => storage.open(path, 'x'),
        get: () => storage.get(path),
        put: () => storage.put(path, Buffer.alloc(1)),
        delete: () => storage.delete(path),
      };
      for (const [name, call] of Object.entries(calls))
        await mustReject(`storage.${name}() of the path ${JSON.stringify(path)}`, call, failed);
    }
  });

  test('deletes sealed, unsealed and absent objects alike', async ({ storage, path, sign, seal }) => {
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

  test('a storage that can list returns all its objects by age, in pages', async ({
    storage,
    path,
    sign,
  }) => {
    if (!storage.list) return;
    const unsealed = `${path}-unsealed`;
    const kept = [path, `${path}/result`, unsealed];
    await storage.put(path, Buffer.from('one'));
    await storage.put(`${path}/result`, Buffer.from('two'));
    assertTaken(await put((await sign(unsealed)).uploadUrl, Buffer.from('three')));
    await storage.put(`${path}-gone`, Buffer.from('four'));
    await storage.delete(`${path}-gone`);
    const now = Math.floor(Date.now() / 1000);
    assert.deepEqual(await listed(storage, path, now + hour, 1), kept.toSorted());
    assert.deepEqual(await listed(storage, path, now + hour, 1000), kept.toSorted());
    assert.deepEqual(await listed(storage, path, now - hour, 1000), [], 'younger than asked for');
  });

  test('a worker without the secret reads sealed objects and stores results', async (subject) => {
    const { storage, path, sign, seal } = subject;
    const worker = await subject.startWorker();
    assertTaken(await put((await sign()).uploadUrl, Buffer.from('to read')));
    const sealed = await seal();
    assert.ok(sealed);
    assert.equal((await streamed(worker, path, sealed.etag)).toString(), 'to read');
    await worker.put(`${path}/result`, Buffer.from('done'));
    assert.equal((await storage.get(`${path}/result`))?.toString(), 'done');
    assert.equal(await worker.get(`${path}/mark-0a`), null);
    await storage.put(`${path}/mark-0a`, Buffer.from('from the API'));
    assert.equal((await worker.get(`${path}/mark-0a`))?.toString(), 'from the API');
    assert.deepEqual(await worker.health(), { ok: true });
  });

  test('a reader may stop early', async ({ storage, path, sign, seal }) => {
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
    const calls = {
      signUpload: () => sign(),
      sealUpload: () => seal(),
      open: () => storage.open(path, 'x'),
      put: () => storage.put(path, Buffer.alloc(1)),
      get: () => storage.get(path),
      delete: () => storage.delete(path),
      health: () => storage.health(),
    };
    for (const [name, call] of Object.entries(calls))
      await mustReject(`storage.${name}() after the stop`, call, failed);
  });
}
