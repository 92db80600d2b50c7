import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { BlobServiceClient } from '@azure/storage-blob';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Test } from 'tap';
import type { AzureBlobOptions } from '../../../adapters/azure-blob/azure-options.js';
import { azureBlob } from '../../../adapters/azure-blob/index.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { PluginContext } from '../../../core/ports/plugin.port.js';
import type { Storage } from '../../../core/ports/storage.port.js';
import { type Azurite, azuriteMissing, startAzurite } from '../../support/azurite.js';
import { openFaultyProxy } from '../../support/faulty-proxy.js';
import t from '../../support/t.js';

const skip = azuriteMissing();
const maxBytes = 1000;
const soon = () => Math.floor(Date.now() / 1000) + 3600;

const context = (
  options: AzureBlobOptions,
  role: 'api' | 'worker' = 'api',
): PluginContext<AzureBlobOptions> => ({
  options,
  log: silentLog,
  role,
  dataDir: '',
  maxUploadBytes: maxBytes,
  maxDeliveries: 3,
  secret: randomBytes(32),
  processName: 'test',
  now: () => Date.now(),
});

const withKey = (endpoint: string): string => {
  const key = randomBytes(64).toString('base64');
  return `DefaultEndpointsProtocol=http;AccountName=acme;AccountKey=${key};BlobEndpoint=${endpoint};`;
};

t.test('options: one kind of credentials, and a valid container', async (t) => {
  const valid = new Ajv2020({ strict: true, useDefaults: true }).compile(azureBlob.optionsSchema);
  const options = { connectionString: 'x' };
  t.ok(valid(options));
  t.match(options, { container: 'cadre' });
  t.ok(valid({ accountUrl: 'https://acme.blob.core.windows.net' }));
  t.notOk(valid({}));
  t.notOk(valid({ connectionString: 'x', accountUrl: 'https://acme.blob.core.windows.net' }));
  t.notOk(valid({ accountUrl: 'http://acme.blob.core.windows.net' }));
  t.notOk(valid({ connectionString: 'x', container: 'No_Container' }));
  t.notOk(valid({ connectionString: 'x', contianer: 'typo' }));
});

t.test('a connection string that cannot sign prevents the start without being quoted', async (t) => {
  const container = 'cadre';
  for (const connectionString of [
    'nonsense-SECRET',
    'AccountName=acme;AccountKey=not base64 SECRET',
    'BlobEndpoint=https://acme.blob.core.windows.net;SharedAccessSignature=sv=1&sig=SECRET',
  ]) {
    const error: Error = await azureBlob.start(context({ connectionString, container })).then(
      () => t.fail('started'),
      (error) => error,
    );
    t.match(error, { code: 'STORAGE_FAILED' });
    t.notMatch(`${error.stack} ${error.cause}`, /SECRET/);
  }
});

t.test('health reports within a few seconds that Azure does not respond', async (t) => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/acme`;
  t.teardown(() => silent.close());
  for (const endpoint of [silentUrl, 'http://127.0.0.1:1/acme']) {
    const connectionString = withKey(endpoint);
    const worker = await azureBlob.start(context({ connectionString, container: 'cadre' }, 'worker'));
    const health = await Promise.race([worker.port.health(), later(5000)]);
    t.match(health, { ok: false, reason: /does not respond/ });
    await worker.stop({ deadlineMs: 0 });
  }
});

const later = (ms: number): Promise<string> =>
  new Promise((resolve) => setTimeout(resolve, ms, 'no answer').unref());

t.test('against Azurite', { skip }, async (t) => {
  const azurite = await startAzurite();
  t.teardown(() => azurite.stop());

  t.test('the URL may write one blob, and tolerates clocks that are behind', async (t) => {
    const { storage } = await start(t, azurite);
    const expiresAt = soon();
    const { uploadUrl, token } = await storage.signUpload('agent/file.pdf', {
      expiresAt,
      origin: 'https://unused',
    });
    const url = new URL(uploadUrl);
    t.ok(url.pathname.endsWith('/agent/file.pdf'));
    t.equal(url.searchParams.get('sp'), 'w');
    t.equal(url.searchParams.get('sr'), 'b');
    t.equal(Date.parse(url.searchParams.get('se') ?? ''), expiresAt * 1000);
    t.ok(Date.parse(url.searchParams.get('st') ?? '') < Date.now() - 10 * 60 * 1000);
    t.equal(decodeURIComponent(token), url.searchParams.get('sig'));
  });

  t.test('a worker signs nothing', async (t) => {
    const { storage } = await start(t, azurite, 'worker');
    await t.rejects(storage.signUpload('a', { expiresAt: soon(), origin: '' }), { code: 'STORAGE_FAILED' });
  });

  t.test('commits of the client are pinned when they are sealed', async (t) => {
    const { storage } = await start(t, azurite);
    const { uploadUrl } = await storage.signUpload('a', { expiresAt: soon(), origin: '' });
    await put(uploadUrl, 'block');
    const list = '<?xml version="1.0"?><BlockList><Latest>MDAwMDAw</Latest></BlockList>';
    t.equal(await put(uploadUrl.replace(/&comp=.*/, '&comp=blocklist'), list), 201);
    const sealed = await storage.sealUpload('a', { maxBytes });
    t.equal(sealed?.bytes, 5);
    t.equal(await text(storage, 'a', sealed?.etag ?? ''), 'block');
  });

  t.test('an overwritten sealed blob is detected', async (t) => {
    const { storage } = await start(t, azurite);
    const { uploadUrl } = await storage.signUpload('a', { expiresAt: soon(), origin: '' });
    await put(uploadUrl, 'first');
    const sealed = await storage.sealUpload('a', { maxBytes });
    t.equal(await put(uploadUrl.replace(/&comp=.*/, ''), 'other', { 'x-ms-blob-type': 'BlockBlob' }), 201);
    await t.rejects(text(storage, 'a', sealed?.etag ?? ''), { code: 'OBJECT_CHANGED' });
  });

  t.test('a late block, even one that is too large, does not affect the sealed blob', async (t) => {
    const { storage } = await start(t, azurite);
    const { uploadUrl } = await storage.signUpload('a', { expiresAt: soon(), origin: '' });
    await put(uploadUrl, 'first');
    const sealed = await storage.sealUpload('a', { maxBytes });
    for (const late of ['later', 'x'.repeat(maxBytes + 1)]) {
      await put(uploadUrl, late);
      t.same(await storage.sealUpload('a', { maxBytes }), sealed);
      t.equal(await text(storage, 'a', sealed?.etag ?? ''), 'first');
    }
    await storage.delete('a');
    t.equal(await storage.sealUpload('a', { maxBytes }), null, 'the late block went with the blob');
  });

  t.test('an empty or too large upload may be repeated', async (t) => {
    const { storage } = await start(t, azurite);
    const { uploadUrl } = await storage.signUpload('a', { expiresAt: soon(), origin: '' });
    for (const wrong of ['', 'x'.repeat(maxBytes + 1)]) {
      await put(uploadUrl, wrong);
      const sealed = await storage.sealUpload('a', { maxBytes });
      t.equal(sealed?.bytes, wrong.length);
      await t.rejects(storage.open('a', sealed?.etag ?? ''), { code: 'OBJECT_MISSING' });
    }
    await put(uploadUrl, 'good');
    t.equal((await storage.sealUpload('a', { maxBytes }))?.bytes, 4);
  });

  t.test('a missing container is a failure, not an empty storage', async (t) => {
    const { storage, container } = await start(t, azurite);
    await container.delete();
    await t.rejects(storage.get('a'), { code: 'STORAGE_FAILED' });
    await t.rejects(storage.open('a', 'x'), { code: 'STORAGE_FAILED' });
    await t.rejects(storage.sealUpload('a', { maxBytes }), { code: 'STORAGE_FAILED' });
    await t.rejects(storage.put('a', Buffer.from('x')), { code: 'STORAGE_FAILED' });
    await t.rejects(storage.delete('a'), { code: 'STORAGE_FAILED' });
    t.match(await storage.health(), { ok: false });
  });

  t.test('a wrong key prevents the start of an API process', async (t) => {
    const connectionString = withKey(azurite.accountUrl).replace(
      'AccountName=acme',
      `AccountName=${azurite.account}`,
    );
    const options = { connectionString, container: 'cadre' };
    await t.rejects(azureBlob.start(context(options)), { code: 'STORAGE_FAILED', message: /403/ });
  });
});

t.test(
  'an unreachable storage does not prevent the start, and is used once it is back',
  { skip },
  async (t) => {
    const azurite = await startAzurite();
    t.teardown(() => azurite.stop());
    const { hostname, port } = new URL(azurite.accountUrl);
    const proxy = await openFaultyProxy({ host: hostname, port: Number(port) });
    t.teardown(() => proxy.close());
    proxy.refuse();
    const connectionString = azurite.connectionString.replace(`:${port}/`, `:${proxy.port}/`);
    const started = await azureBlob.start(context({ connectionString, container: `test-${randomUUID()}` }));
    t.teardown(() => started.stop({ deadlineMs: 0 }));
    const { port: storage } = started;
    t.match(await storage.health(), { ok: false, reason: /does not respond/ });
    await t.rejects(storage.put('a', Buffer.from('x')), { code: 'STORAGE_FAILED' });
    proxy.restore();
    await storage.put('a', Buffer.from('x'));
    t.equal(String(await storage.get('a')), 'x', 'also into a container that was still to be made');
    t.same(await storage.health(), { ok: true });
  },
);

async function start(t: Test, azurite: Azurite, role: 'api' | 'worker' = 'api') {
  const { connectionString } = azurite;
  const name = `test-${randomUUID()}`;
  const started = await azureBlob.start(context({ connectionString, container: name }, role));
  t.teardown(() => started.stop({ deadlineMs: 0 }));
  return {
    storage: started.port,
    container: BlobServiceClient.fromConnectionString(connectionString).getContainerClient(name),
  };
}

async function put(url: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain', ...headers },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

async function text(storage: Storage, path: string, etag: string): Promise<string> {
  const chunks = await (await storage.open(path, etag)).toArray();
  return Buffer.concat(chunks).toString();
}
