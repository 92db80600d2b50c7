import type { Test } from 'tap';
import {
  type ApiClient,
  body,
  type ErrorBody,
  invalid,
  type List,
  refused,
} from '../../support/api-client.js';
import { putBytes, registration, type SignedEntry, signUploads } from '../../support/files.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

const MAX = 52_428_800;

async function signed(api: ApiClient, agentId: string): Promise<SignedEntry> {
  const [entry] = await signUploads(api, agentId, ['a.txt']);
  if (!entry) throw new Error('nothing was signed');
  return entry;
}

const register = (api: ApiClient, agentId: string, entries: SignedEntry[]) =>
  api.post<{ jobId: number } & ErrorBody>(`/agents/${agentId}/sources/file`, registration(entries));

t.test('accepts 50 MiB, and not one byte more', async (t) => {
  const { client } = await startTestService(t, { maxUploadBytes: MAX + 10 });
  const api = await client();
  const { id } = await api.agent();
  const put = async (t: Test, bytes: number) => {
    const entry = await signed(api, id);
    t.equal(await putBytes(entry.uploadUrl, new Uint8Array(bytes)), 201);
    return register(api, id, [entry]);
  };
  const over = await put(t, MAX + 1);
  invalid(t, over, 'files');
  t.match(over.body.error.details?.fieldErrors, { files: [/larger than 52428800 bytes/] });
  t.equal((await body(api.get<List<object>>(`/agents/${id}/jobs`))).pagination.total, 0);
  t.equal((await put(t, MAX)).status, 202);
});

t.test('an upload URL allows no reading, and no change after registration', async (t) => {
  const { client } = await startTestService(t);
  const api = await client();
  const { id } = await api.agent();
  const entry = await signed(api, id);
  t.equal(await putBytes(entry.uploadUrl, 'text'), 201);
  for (const method of ['GET', 'HEAD', 'DELETE', 'POST']) {
    const { status } = await fetch(entry.uploadUrl, { method });
    t.ok(status >= 400 && status < 500, `${method}: ${status}`);
  }
  t.equal((await register(api, id, [entry])).status, 202);
  t.ok((await putBytes(entry.uploadUrl, 'changed')) >= 400);
  const other = await signed(api, id);
  t.ok((await putBytes(other.uploadUrl.replace(other.token, `${other.token.slice(0, -2)}xx`), 'x')) >= 400);
});

t.test('after a quota error, the same URL accepts a smaller file', async (t) => {
  const { client } = await startTestService(t);
  const api = await client({ set: { 'limits.storageBytes': 10 } });
  const { id } = await api.agent();
  const [one, other] = [await signed(api, id), await signed(api, id)];
  for (const { uploadUrl } of [one, other]) t.equal(await putBytes(uploadUrl, 'six by'), 201);
  refused(t, await register(api, id, [one, other]), 403, 'QUOTA_STORAGE_LIMIT');
  t.equal(await putBytes(other.uploadUrl, 'four'), 201);
  t.equal((await register(api, id, [one, other])).status, 202);
  t.equal(await putBytes(other.uploadUrl, 'late'), 409);
});

t.test('an upload URL expires', async (t) => {
  const { client } = await startTestService(t, { settings: { uploads: { urlTtlSeconds: 1 } } });
  const api = await client();
  const { uploadUrl } = await signed(api, (await api.agent()).id);
  await until('the URL to expire', async () => (await putBytes(uploadUrl, 'x')) === 403);
});

t.test('it is valid for exactly its lifetime; a repetition gets a valid one', async (t) => {
  let now = 1_795_000_000_250;
  const { client } = await startTestService(t, {
    clock: { now: () => now },
    settings: { uploads: { urlTtlSeconds: 60 } },
  });
  const api = await client();
  const { id } = await api.agent();
  const ask = async (): Promise<string> => {
    const options = { headers: { 'idempotency-key': 'k' } };
    const request = { files: [{ fileName: 'a.txt' }] };
    const sent = api.post<{ files: SignedEntry[] }>(
      `/agents/${id}/sources/file/upload-url`,
      request,
      options,
    );
    return (await body(sent)).files[0]?.uploadUrl ?? '';
  };
  const first = await ask();
  now += 58_000;
  t.equal(await ask(), first);
  now += 1999;
  t.equal(await putBytes(first, 'x'), 201);
  t.equal(await putBytes(await ask(), 'x'), 201);
  now += 1;
  t.equal(await putBytes(first, 'x'), 403);
  t.equal(await putBytes(await ask(), 'x'), 201);
});

t.test('an upload that is never registered is deleted and can no longer be registered', async (t) => {
  let ahead = 0;
  const { client, store, storage } = await startTestService(t, {
    settings: { uploads: { abandonedAfterSeconds: 60 } },
    clock: { now: () => Date.now() + ahead },
  });
  const api = await client();
  const { id } = await api.agent();
  const entry = await signed(api, id);
  t.equal(await putBytes(entry.uploadUrl, 'text'), 201);
  ahead = 61_000;
  await until(
    'the upload to be forgotten',
    async () => (await store.reads.upload(id, entry.storagePath)) === null,
  );
  invalid(t, await register(api, id, [entry]), 'files');
  await until('its bytes to go', async () => (await store.uploads.discards(2e9, null, 1)).length === 0);
  t.equal(await storage.sealUpload(entry.storagePath, { maxBytes: MAX }), null);
});
