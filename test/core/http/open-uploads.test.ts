import type { Test } from 'tap';
import { type ApiClient, body } from '../../support/api-client.js';
import { putBytes, registration, signUploads } from '../../support/files.js';
import { type Engine, onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';

/* Signed uploads that are not registered: their number per workspace, and their total size. */

const newAgent = async (api: ApiClient) =>
  (await body(api.post<{ id: string }>('/agents', { name: 'uploads' }))).id;
const names = (count: number) => Array.from({ length: count }, (_, n) => `file-${n}.txt`);
const request = (count: number) => ({ files: names(count).map((fileName) => ({ fileName })) });

await onEachEngine(
  'a workspace has at most 1,000 open uploads, even with concurrent requests',
  async (t, engine) => {
    const service = await startTestService(t, { engine });
    const beside = await service.beside();
    const { apiKey } = await service.workspace();
    const clients = [service.api(apiKey), beside.api(apiKey)];
    const agents = await Promise.all([0, 1, 2].map(() => newAgent(clients[0] as ApiClient)));
    const answers = await Promise.all(
      Array.from({ length: 54 }, (_, n) =>
        (clients[n % 2] as ApiClient).post(`/agents/${agents[n % 3]}/sources/file/upload-url`, request(20), {
          // Its stored response is looked up before anything else.
          headers: { 'idempotency-key': `key ${n}` },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    t.equal(statuses.filter((status) => status === 200).length, 50);
    t.equal(statuses.filter((status) => status === 400).length, 4);
    const refused = answers.find(({ status }) => status === 400)?.text ?? '';
    t.match(
      refused,
      /"VALIDATION_INVALID_BODY".*"fieldErrors":\{"files":\[.*limit of 1000 unregistered uploads/,
    );
    const other = await service.client();
    t.equal(
      (await signUploads(other, await newAgent(other), names(1))).length,
      1,
      'another workspace has its own',
    );
  },
);

async function small(t: Test, engine: Engine) {
  const service = await startTestService(t, { engine, settings: { uploads: { openBytes: 1000 } } });
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const agentId = await newAgent(api);
  return { service, api, apiKey, agentId };
}

await onEachEngine('open uploads have at most uploads.openBytes across processes', async (t, engine) => {
  const { service, api, agentId } = await small(t, engine);
  const beside = await service.beside();
  const entries = await signUploads(api, agentId, names(10));
  const urls = entries.map(({ uploadUrl }, n) =>
    n % 2 === 0 ? uploadUrl : uploadUrl.replace(service.baseUrl, beside.baseUrl),
  );
  const statuses = await Promise.all(urls.map((url) => putBytes(url, 'x'.repeat(300))));
  t.same(
    [201, 403].map((status) => statuses.filter((each) => each === status).length),
    [3, 7],
  );
  const taken = entries.filter((_, n) => statuses[n] === 201);
  t.equal(await putBytes(urls[statuses.indexOf(403)] ?? '', 'x'.repeat(100)), 201, 'what fits is taken');
  t.equal(
    await putBytes(taken[0]?.uploadUrl ?? '', 'x'.repeat(300)),
    403,
    'both would lie there for a moment',
  );
  const registered = await api.post(`/agents/${agentId}/sources/file`, registration(taken.slice(0, 2)));
  t.equal(registered.status, 202);
  t.equal(
    await putBytes(urls[statuses.lastIndexOf(403)] ?? '', 'x'.repeat(300)),
    201,
    'registering makes room',
  );
});

await onEachEngine('an incomplete or rejected upload releases its bytes', async (t, engine) => {
  const { api, agentId } = await small(t, engine);
  const [entry] = await signUploads(api, agentId, names(1));
  const url = entry?.uploadUrl ?? '';
  for (let n = 0; n < 5; n += 1) {
    const cut = new AbortController();
    const sending = fetch(url, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain', 'content-length': '900' },
      body: new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.alloc(100, 'x'));
          setTimeout(() => cut.abort(), 50);
        },
      }),
      duplex: 'half',
      signal: cut.signal,
    } as RequestInit);
    await sending.catch(() => {});
  }
  let status = 0;
  for (let n = 0; n < 100 && status !== 201; n += 1) status = await putBytes(url, 'x'.repeat(1000));
  t.equal(status, 201);
});

/** Sends pieces without a length; resolves with the status. */
const putPieces = async (url: string, pieces: string[]): Promise<number> => {
  const headers = { 'content-type': 'text/plain' };
  const body = ReadableStream.from(pieces.map((piece) => Buffer.from(piece)));
  return (await fetch(url, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit)).status;
};

await onEachEngine('an upload of unknown length counts with the bytes received', async (t, engine) => {
  const { api, agentId } = await small(t, engine);
  const urls = (await signUploads(api, agentId, names(4))).map(({ uploadUrl }) => uploadUrl);
  const [first = '', second = '', third = '', fourth = ''] = urls;
  t.equal(await putPieces(first, ['x'.repeat(300), 'y'.repeat(300)]), 201);
  t.equal(await putPieces(second, ['x'.repeat(300), 'y'.repeat(300)]), 403, 'more than there is room for');
  t.equal(await putPieces(second, ['x'.repeat(300)]), 201, 'what was refused holds nothing');
  t.same(
    (await Promise.all([third, fourth].map((url) => putPieces(url, ['x'.repeat(60)])))).sort(),
    [201, 403],
    'two at once are counted together',
  );
  t.equal(await putBytes(first, 'x'.repeat(40)), 201, 'and what is left can be used');
});

await onEachEngine('the upload URLs of a deleted agent accept nothing', async (t, engine) => {
  const { service, api, agentId } = await small(t, engine);
  const entries = await signUploads(api, agentId, names(2));
  t.equal(await putBytes(entries[0]?.uploadUrl ?? '', 'before'), 201);
  t.equal((await api.delete(`/agents/${agentId}`)).status, 200);
  for (const { uploadUrl } of entries) t.equal(await putBytes(uploadUrl, 'after'), 404);
  t.equal(await service.storage.sealUpload(entries[1]?.storagePath ?? '', { maxBytes: 100 }), null);
});

t.test(
  'the limits of the installation apply at registration, whichever storage received the bytes',
  async (t) => {
    const service = await startTestService(t, {
      settings: { uploads: { maxBytes: 500, openBytes: 1000 } },
      // Like a storage that clients write to directly.
      uploadsUnasked: true,
    });
    const api = await service.client();
    const agentId = await newAgent(api);
    const entries = await signUploads(api, agentId, names(4));
    for (const [n, { uploadUrl }] of entries.entries())
      t.equal(await putBytes(uploadUrl, 'x'.repeat(n === 3 ? 501 : 400)), 201);
    const register = async (chosen: typeof entries) => {
      const { status, text } = await api.post(`/agents/${agentId}/sources/file`, registration(chosen));
      return { status, text };
    };
    t.match(await register(entries.slice(3)), { status: 400, text: /larger than 500 bytes/ });
    t.match(await register(entries.slice(0, 3)), {
      status: 400,
      text: /"files":\["exceed the limit of 1000 bytes/,
    });
    t.match(await register(entries.slice(0, 2)), { status: 202 });
  },
);
