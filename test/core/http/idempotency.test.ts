import { createHash } from 'node:crypto';
import type { Test } from 'tap';
import { ApiError } from '../../../core/errors/api-error.js';
import { respondOnce } from '../../../core/http/pipeline/respond-once.js';
import { ok } from '../../../core/http/route.js';
import type { Storage } from '../../../core/ports/storage.port.js';
import { KeyTaken } from '../../../core/ports/store/store-errors.js';
import {
  type Answer,
  type ApiClient,
  body,
  invalid,
  type List,
  refused,
  walk,
} from '../../support/api-client.js';
import { testKeyring } from '../../support/keyring.js';
import { addPages } from '../../support/pages.js';
import { type Engine, onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';

/* The Idempotency-Key of every POST except chats (conversations/idempotency.test.ts). */

const DAY_S = 86_400;

const keyed = (api: ApiClient, path: string, sent: unknown, key: string) =>
  api.post<Record<string, unknown>>(path, sent, { headers: { 'idempotency-key': key } });

async function begun(t: Test, engine?: Engine, options: object = {}) {
  const service = await startTestService(t, { ...options, ...(engine ? { engine } : {}) });
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  return {
    service,
    api,
    agentId: id,
    path: `/agents/${id}`,
    elsewhere: async () => (await service.beside()).api(apiKey),
  };
}

const same = (t: Test, answer: Answer<unknown>, first: Answer<unknown>, what: string) => {
  t.equal(answer.status, first.status, what);
  t.equal(answer.text, first.text, what);
};

await onEachEngine(
  'the same key and body return the same response, also from another process',
  async (t, engine) => {
    const { service, api, agentId, path, elsewhere } = await begun(t, engine);
    await addPages(service.store, agentId, ['https://a.example/1']);
    const other = await elsewhere();
    const qna = { title: 't', questions: ['q'], answer: 'a' };
    const requests: [path: string, body: unknown, status: number][] = [
      ['/agents', { name: 'Made once' }, 201],
      [`${path}/sources/text`, { title: 't', content: 'once' }, 201],
      [`${path}/sources/qna`, qna, 201],
      [`${path}/sources/url`, { url: 'https://b.example' }, 202],
      [`${path}/sources/file/upload-url`, { files: [{ fileName: 'a.txt' }] }, 200],
      [`${path}/train`, undefined, 202],
    ];
    for (const [n, [where, sent, status]] of requests.entries()) {
      const first = await keyed(api, where, sent, `key ${n}`);
      t.equal(first.status, status, `${where}: ${first.text}`);
      same(t, await keyed(api, where, sent, `key ${n}`), first, where);
      same(t, await keyed(other, where, sent, `key ${n}`), first, `${where} elsewhere`);
      const others = where === `${path}/train` ? `${path}/jobs/1/cancel` : where;
      const changed = {
        ...(sent as object),
        name: 'b',
        title: 'b',
        url: 'https://c.example',
        files: [{ fileName: 'b.txt' }],
      };
      invalid(
        t,
        await keyed(other, others, sent === undefined ? undefined : changed, `key ${n}`),
        'Idempotency-Key',
      );
    }
    t.equal((await walk(api, '/agents', 100)).length, 2, 'one agent was made');
    const { documentCount } = await body(api.get<{ documentCount: number }>(`${path}/train`));
    t.equal(documentCount, 3, 'each source once');
    const jobs = await body(api.get<List<object>>(`${path}/jobs`));
    t.equal(jobs.pagination.total, 2, 'each job once');
  },
);

await onEachEngine(
  'a file is registered once, and a job is cancelled and retried once',
  async (t, engine) => {
    const { service, api, agentId, path } = await begun(t, engine);
    const { files } = await body(
      api.post<{ files: { storagePath: string; fileName: string; uploadUrl: string }[] }>(
        `${path}/sources/file/upload-url`,
        { files: [{ fileName: 'a.txt' }] },
      ),
    );
    const [file] = files;
    if (!file) throw new Error('an upload was expected');
    await fetch(file.uploadUrl, { method: 'PUT', body: 'text', headers: { 'content-type': 'text/plain' } });
    const sent = { files: [{ storagePath: file.storagePath, fileName: file.fileName }] };
    const registered = await keyed(api, `${path}/sources/file`, sent, 'file');
    t.equal(registered.status, 202, registered.text);
    same(t, await keyed(api, `${path}/sources/file`, sent, 'file'), registered, 'registration');

    const job = `${path}/jobs/${registered.body.jobId}`;
    const cancelled = await keyed(api, `${job}/cancel`, undefined, 'cancel');
    t.match(cancelled.body, { status: 'cancelled' });
    same(t, await keyed(api, `${job}/cancel`, undefined, 'cancel'), cancelled, 'cancel');

    const [page] = await addPages(service.store, agentId, ['https://a.example/1']);
    const { jobId } = await body(api.post<{ jobId: string }>(`${path}/train`));
    await service.store.turns.run(agentId, null, async (turn) => {
      for (const task of await turn.jobs.openTasks(Number(jobId), 10))
        await turn.jobs.updateTask(task.id, { status: 'failed', documentId: page ?? null });
      await turn.jobs.updateJob(Number(jobId), {
        status: 'failed',
        tasksEnded: 1,
        tasksFailed: 1,
        finishedAt: 1,
      });
    });
    const retried = await keyed(api, `${path}/jobs/${jobId}/retry`, undefined, 'retry');
    t.equal(retried.status, 202, retried.text);
    same(t, await keyed(api, `${path}/jobs/${jobId}/retry`, undefined, 'retry'), retried, 'retry');
  },
);

await onEachEngine(
  'many concurrent requests with one key on two processes have one effect',
  async (t, engine) => {
    const { api, path, elsewhere } = await begun(t, engine);
    const apis = [api, await elsewhere()];
    const all = (where: string, sent: unknown) =>
      Promise.all(Array.from({ length: 20 }, (_, n) => keyed(apis[n % 2] ?? api, where, sent, 'at once')));
    for (const [where, sent] of [
      ['/agents', { name: 'Made once' }],
      [`${path}/sources/text`, { title: 't', content: 'c' }],
    ] as const) {
      const answers = await all(where, sent);
      const texts = new Set(answers.map(({ text }) => text));
      t.equal(texts.size, 1, [...texts].join('\n'));
      t.equal(answers[0]?.status, 201);
    }
    t.equal((await walk(api, '/agents', 100)).length, 2);
    t.equal((await body(api.get<List<object>>(`${path}/sources`))).pagination.total, 1);
  },
);

await onEachEngine(
  'a rejected request reserves nothing, and a repetition gets its response even if it no longer fits',
  async (t, engine) => {
    const { service } = await begun(t, engine);
    const { id: workspaceId, apiKey } = await service.workspace({
      set: { 'limits.agents': 1, 'limits.storageBytes': 3 },
    });
    const small = service.api(apiKey);
    const first = await keyed(small, '/agents', { name: 'The only one' }, 'a');
    same(t, await keyed(small, '/agents', { name: 'The only one' }, 'a'), first, 'although there is no room');
    refused(t, await keyed(small, '/agents', { name: 'One more' }, 'b'), 403, 'QUOTA_CHATBOT_LIMIT');
    const path = `/agents/${first.body.id}/sources/text`;
    refused(t, await keyed(small, path, { title: 't', content: 'long' }, 'c'), 403, 'QUOTA_STORAGE_LIMIT');
    invalid(t, await keyed(small, path, { title: 't' }, 'c'), 'content');
    await service.store.workspaces.update(workspaceId, () => ({ overrides: {} }));
    t.equal(
      (await keyed(small, '/agents', { name: 'Another' }, 'b')).status,
      201,
      'another body, for nothing was bound',
    );
    t.equal((await keyed(small, path, { title: 't', content: 'long' }, 'c')).status, 201);
  },
);

t.test('keys of two agents and of two workspaces are independent', async (t) => {
  const { service, api, path } = await begun(t);
  const second = await api.agent();
  const sent = { title: 't', content: 'c' };
  const one = await keyed(api, `${path}/sources/text`, sent, 'k');
  const two = await keyed(api, `/agents/${second.id}/sources/text`, sent, 'k');
  t.not(one.body.documentId, two.body.documentId);
  const stranger = await service.client();
  t.not(
    (await keyed(stranger, '/agents', { name: 'x' }, 'k')).text,
    (await keyed(api, '/agents', { name: 'x' }, 'k')).text,
  );
});

t.test('a key of a chat is independent of the same key of another request', async (t) => {
  const { api, path } = await begun(t);
  const text = { title: 't', content: 'c' };
  const chat = { message: 'Hello', stream: false };
  await keyed(api, `${path}/sources/text`, text, 'text first');
  invalid(t, await keyed(api, `${path}/chat`, chat, 'text first'), 'Idempotency-Key');
  t.equal((await keyed(api, `${path}/chat`, chat, 'chat first')).status, 200);
  invalid(t, await keyed(api, `${path}/sources/text`, text, 'chat first'), 'Idempotency-Key');
});

t.test('an invalid key is reported together with all other problems', async (t) => {
  const { api, path } = await begun(t);
  const long = 'k'.repeat(129);
  invalid(t, await keyed(api, `${path}/sources/text`, { title: 't' }, long), 'Idempotency-Key', 'content');
  invalid(t, await keyed(api, `${path}/train`, undefined, long), 'Idempotency-Key');
  invalid(t, await keyed(api, '/agents', { name: 'x' }, 'é'), 'Idempotency-Key');
  const nowhere = `${path}/conversations/${'c'.repeat(129)}`;
  invalid(t, await keyed(api, `${nowhere}/stop`, undefined, long), 'conversationId', 'Idempotency-Key');
  const retry = await keyed(api, `${nowhere}/retry`, { stream: 1 }, long);
  invalid(t, retry, 'conversationId', 'Idempotency-Key', 'messageId', 'stream');
  refused(t, await keyed(api, `${path}/jobs/x/cancel`, undefined, long), 404, 'RESOURCE_NOT_FOUND');
});

t.test('a search ignores the key and stores no response', async (t) => {
  const { service, api, agentId, path } = await begun(t);
  const search = (key: string, query: string) => keyed(api, `${path}/search`, { query }, key);
  t.same((await search('k', 'red shoes')).body, { data: [], covered: false });
  await body(api.post(`${path}/sources/text`, { title: 'Shoes', content: 'Red shoes cost 20 euros.' }));
  t.match((await search('k', 'red shoes')).body, { data: [{ title: 'Shoes' }] }, 'not the first answer');
  t.equal((await search('k', 'blue shoes')).status, 200, 'another body');
  t.equal((await search('k'.repeat(129), 'red shoes')).status, 200, 'no valid key');
  t.equal(await service.store.responses.find(agentId, createHash('sha256').update('k').digest('hex')), null);
});

t.test('deleting an agent deletes its stored responses', async (t) => {
  const { service, api, agentId, path } = await begun(t);
  await keyed(api, `${path}/train`, undefined, 'k');
  const hash = createHash('sha256').update('k').digest('hex');
  t.match(await service.store.responses.find(agentId, hash), { response: { status: 200 } });
  await body(api.delete(path));
  t.equal(await service.store.responses.find(agentId, hash), null);
});

t.test('a request is not rejected because of its own first attempt', async (t) => {
  let looks = 0;
  let firstIsDone = () => {};
  const done = new Promise<void>((resolve) => {
    firstIsDone = resolve;
  });
  const { service } = await begun(t, undefined, {
    storage: (real: Storage): Storage => ({
      ...real,
      async sealUpload(path, options) {
        looks += 1;
        // The repetition, which arrived before the first request ended.
        if (looks === 2) await done;
        return real.sealUpload(path, options);
      },
    }),
  });
  const { apiKey } = await service.workspace({ set: { 'limits.storageBytes': 4 } });
  const api = service.api(apiKey);
  const path = `/agents/${(await api.agent()).id}/sources/file`;
  const { files } = await body(
    api.post<{ files: { storagePath: string; fileName: string; uploadUrl: string }[] }>(
      `${path}/upload-url`,
      { files: [{ fileName: 'a.txt' }] },
    ),
  );
  const [{ storagePath, fileName, uploadUrl } = { storagePath: '', fileName: '', uploadUrl: '' }] = files;
  await fetch(uploadUrl, { method: 'PUT', body: 'text', headers: { 'content-type': 'text/plain' } });
  const sent = { files: [{ storagePath, fileName }] };
  const tries = [0, 1].map(() => keyed(api, path, sent, 'file'));
  const first = await Promise.race(tries);
  t.equal(first.status, 202, first.text);
  firstIsDone();
  for (const answer of await Promise.all(tries)) same(t, answer, first, 'although there is no room for two');
});

await onEachEngine('an expired response is not returned, swept or not', async (t, engine) => {
  let ahead = 0;
  const { api, path } = await begun(t, engine, {
    clock: { now: () => Date.now() + ahead },
    settings: { uploads: { urlTtlSeconds: 600 } },
  });
  const pass = (s: number) => {
    ahead += s * 1000;
  };
  const chat = { message: 'Hello', stream: false };
  const sent: [path: string, body: object][] = [
    ['/agents', { name: 'Made twice' }],
    [`${path}/sources/text`, { title: 't', content: 'twice' }],
    ['/webhooks', { url: 'https://hooks.acme.com' }],
    [`${path}/chat`, chat],
  ];
  const signed = `${path}/sources/file/upload-url`;
  const sign = () => keyed(api, signed, { files: [{ fileName: 'a.txt' }] }, 'signed');
  const urls = await sign();
  pass(590);
  same(t, await sign(), urls, 'while they work');
  pass(20);
  const fresh = await sign();
  t.equal(fresh.status, 200, fresh.text);
  t.not(fresh.text, urls.text, 'URLs that work no longer are not given again');

  const first = await Promise.all(sent.map(([where, what], n) => keyed(api, where, what, `key ${n}`)));
  pass(DAY_S - 10);
  for (const [n, [where, what]] of sent.entries())
    same(t, await keyed(api, where, what, `key ${n}`), first[n] as Answer<unknown>, `${where} within a day`);
  pass(20);
  for (const [n, [where, what]] of sent.entries()) {
    const again = await keyed(api, where, { ...what, unknown: true }, `key ${n}`);
    t.equal(again.status, first[n]?.status, `${where}: ${again.text}`);
    t.not(again.text, first[n]?.text, `${where} after a day`);
    same(t, await keyed(api, where, { ...what, unknown: true }, `key ${n}`), again, `${where} is kept anew`);
  }
});

t.test('a request is processed if the stored response expires while it is checked', async (t) => {
  const rows = [null, { keyHash: 'k', fingerprint: 'f', response: null, createdAt: 0 }];
  const forgotten: string[] = [];
  const responses = {
    find: async () => rows.shift() ?? null,
    keep: async () => {},
    forget: async (_owner: string, keyHash: string) => void forgotten.push(keyHash),
  };
  let tries = 0;
  const answer = await respondOnce(
    { responses, clock: { now: () => Date.now() }, keyring: testKeyring },
    { ownerId: 'o', idempotency: { hash: 'k', fingerprint: 'f' }, stores: 'withIt' },
    async () => {
      tries += 1;
      if (tries === 1) throw new KeyTaken();
      return ok({ done: true });
    },
  );
  t.same(answer, { status: 200, body: { done: true } });
  t.same(forgotten, ['k']);
});

t.test('a repetition that the first attempt causes to fail gets the stored response', async (t) => {
  const response = ok({ done: true });
  const rows = [null, { keyHash: 'k', fingerprint: 'f', response, createdAt: Date.now() / 1000 }];
  const responses = {
    find: async () => rows.shift() ?? null,
    keep: async () => {},
    forget: async () => {},
  };
  const answer = await respondOnce(
    { responses, clock: { now: () => Date.now() }, keyring: testKeyring },
    { ownerId: 'o', idempotency: { hash: 'k', fingerprint: 'f' }, stores: 'withIt' },
    async () => {
      throw new ApiError('QUOTA_CHATBOT_LIMIT');
    },
  );
  t.same(answer, response);
});

t.test('signed URLs are stored for a repetition only as long as they are valid', async (t) => {
  const { service, api, agentId, path } = await begun(t, undefined, {
    settings: { uploads: { urlTtlSeconds: 600 } },
  });
  await keyed(api, `${path}/sources/file/upload-url`, { files: [{ fileName: 'a.txt' }] }, 'k');
  const kept = async () =>
    service.store.responses.find(agentId, createHash('sha256').update('k').digest('hex'));
  const madeAt = Math.floor(Date.now() / 1000);
  const forget = (keys: number) =>
    service.store.conversations.sweeps.forget(
      { keys, spokenMs: 0, stopsMs: 0, resolved: 0, countsDay: '', visitorsDay: '' },
      10,
    );
  await forget(madeAt + 500 - DAY_S);
  t.ok(await kept());
  await forget(madeAt + 700 - DAY_S);
  t.equal(await kept(), null);
});
