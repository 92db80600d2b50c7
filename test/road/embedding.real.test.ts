import type { Test } from 'tap';
import { openAiEmbedding } from '../../adapters/openai-compatible/embedding/index.js';
import { connect } from '../../adapters/sequelize/connect.js';
import { body } from '../support/api-client.js';
import {
  answers,
  embeddingOptions,
  embeds,
  type FakeEmbeddings,
  fakeVector,
  startFakeEmbeddings,
} from '../support/fake-embeddings.js';
import { pluginContext } from '../support/models.js';
import { searchedAgent } from '../support/searching.js';
import { onEachEngine, startTestService, type TestService } from '../support/service.js';
import t from '../support/t.js';
import { until } from '../support/until.js';

/* Vectors from the first document to a question in other words, with a real worker and a provider on a socket. */

const impatient = { jobs: { backoffBaseMs: 10, backoffMaxMs: 50 } };

/** A model in this process, and the same one in the worker. */
async function modelOf(
  t: Test,
  { baseUrl }: FakeEmbeddings,
  changes: Parameters<typeof embeddingOptions>[1] = {},
) {
  const options = embeddingOptions(baseUrl, changes);
  const { port, stop } = await openAiEmbedding.start({ ...pluginContext, options });
  t.teardown(() => stop({ deadlineMs: 1000 }));
  return { embedding: port, worker: { plugins: { embedding: { use: 'openai-compatible', options } } } };
}

const filler = Array.from(
  { length: 20 },
  (_, n) => `Opening hours of branch ${n}: from nine to five, closed on day ${n}.`,
);
const metric = async ({ baseUrl }: TestService, name: string): Promise<number> => {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
};

await onEachEngine(
  'with an embedding model, a question in other words finds its document',
  async (t, engine) => {
    const provider = await startFakeEmbeddings();
    t.teardown(() => provider.close());
    const off = await startTestService(t, { engine, settings: impatient });
    const { addText, agent, search, searchBy, apiKey, forget, api } = await searchedAgent(off);
    for (const [n, text] of filler.entries()) await addText(`Branch ${n}`, text);
    const wanted = await addText(
      'Returns',
      'Refunds are paid within two weeks. The money comes the way it went.',
    );
    const question = 'indemnity banknotes';
    t.same(await search(question), [], 'by its words nothing is found');
    const database = connect({ url: off.databaseUrl, poolSize: 3, statementTimeoutMs: 15_000 });
    t.teardown(() => database.close());
    const rows = async (table: string) =>
      Number((await database.read(`SELECT COUNT(*) AS n FROM ${table}`, []))[0]?.n);
    t.same(
      [await rows('document_vectors'), await rows('jobs')],
      [0, 0],
      'without a model nothing is asked for',
    );

    const on = await off.beside(await modelOf(t, provider));
    const asked = searchBy(on.api(apiKey));
    const first = async () => (await asked(question))[0]?.documentId;
    await until('what was there before is found by its vector', async () => (await first()) === wanted);
    t.equal(await rows('document_vectors'), filler.length + 1);
    await until('nothing is left', async () => (await metric(on, 'retrieval_documents_to_embed')) === 0);
    t.same(new Set(provider.calls.map(({ body }) => (body.input as string[]).length <= 8)), new Set([true]));
    const { data: jobs } = await body(api.get<{ data: { type: string; status: string }[] }>(`${agent}/jobs`));
    t.same(new Set(jobs.map(({ type, status }) => `${type} ${status}`)), new Set(['embed completed']));
    t.equal((await asked('branch 7'))[0]?.title, 'Branch 7', 'words count as before');
    t.same((await asked(question, { limit: 3 })).map(({ documentId }) => documentId).slice(0, 1), [wanted]);

    await t.test('what is new is found by its words at once, and by its vector soon', async (t) => {
      const car = await addText('Parking', 'Leave your automobile behind the house.');
      t.equal((await asked('automobile'))[0]?.documentId, car);
      await until(
        'the new one is found by its vector',
        async () => (await asked('jalopy'))[0]?.documentId === car,
      );
      await forget(car);
      t.notOk(
        (await asked('jalopy')).some(({ documentId }) => documentId === car),
        'what is deleted is not found',
      );
      t.equal(await rows('document_vectors'), filler.length + 1, 'its vectors are gone with it');
      t.equal(await first(), wanted, 'and all the others still count');
    });

    await t.test('a provider that fails leaves the words', async (t) => {
      provider.play(answers(503));
      t.equal((await asked('refunds are paid'))[0]?.documentId, wanted);
      t.equal(await metric(on, 'retrieval_fusions_total{outcome="no_vector"}'), 1);
      t.ok((await metric(on, 'retrieval_fusions_total{outcome="fused"}')) > 0);
      t.match(on.logged.map(({ message }) => message).join(), /searched by words only/);
      provider.play(embeds());
    });

    await t.test('another model embeds everything again', async (t) => {
      const other = await off.beside(await modelOf(t, provider, { model: 'small-2' }));
      await until(
        'all of it is there',
        async () => (await metric(other, 'retrieval_documents_to_embed')) === 0,
      );
      t.equal((await searchBy(other.api(apiKey))(question))[0]?.documentId, wanted);
      const again = provider.calls.filter(({ body }) => body.model === 'small-2');
      t.ok(again.flatMap(({ body }) => body.input as string[]).length >= filler.length + 1);
      t.equal(await rows('document_vectors'), filler.length + 1);
    });

    t.equal((await api.delete(agent)).status, 200);
    await until('a deleted agent leaves no vectors', async () => (await rows('document_vectors')) === 0);
  },
);

t.test('a provider in trouble is tried again; one that refuses costs nothing but its vectors', async (t) => {
  const provider = await startFakeEmbeddings(
    answers(503),
    answers(429, {}, { 'retry-after': '1' }),
    embeds(),
  );
  t.teardown(() => provider.close());
  const service = await startTestService(t, { settings: impatient, ...(await modelOf(t, provider)) });
  const { addText, search, agent, api, id } = await searchedAgent(service);
  const first = await addText('Returns', 'Refunds are paid within two weeks.');
  await until('its vector comes', async () => (await search('indemnity'))[0]?.documentId === first);
  const jobs = async () =>
    (await body(api.get<{ data: { id: string; status: string }[] }>(`${agent}/jobs`))).data;
  t.match(await jobs(), [{ status: 'completed' }]);

  provider.play(answers(401, { error: { message: 'no such key' } }));
  const second = await addText('Doctors', 'A physician is there on Mondays.');
  const failed = await until('the job ends', async () =>
    (await jobs()).find(({ status }) => status === 'failed'),
  );
  const { tasks } = await body(
    api.get<{ tasks: { attempts: number; lastError: { code: string } }[] }>(`${agent}/jobs/${failed.id}`),
  );
  t.match(tasks, [{ attempts: 1, lastError: { code: 'EMBEDDING_REFUSED' } }]);
  t.equal((await search('physician'))[0]?.documentId, second, 'it is found by its words');
  t.same(await body(api.post(`${agent}/jobs/${failed.id}/retry`, {})), {
    jobId: null,
    count: 0,
    message: 'Failed tasks are retried automatically.',
  });
  const calls = provider.calls.length;
  await until(
    'a sweep has looked',
    async () => (await metric(service, 'retrieval_documents_to_embed')) === 2,
  );
  t.equal(provider.calls.length, calls, 'it is not asked again at once');
  t.ok(await service.store.reads.knowledge(id));
});

t.test('vectors of another length than those before are refused, and the words stay', async (t) => {
  const provider = await startFakeEmbeddings();
  t.teardown(() => provider.close());
  const service = await startTestService(t, { settings: impatient, ...(await modelOf(t, provider)) });
  const { addText, search, agent, api } = await searchedAgent(service);
  await addText('Returns', 'Refunds are paid within two weeks.');
  await until('its vector comes', async () => (await search('indemnity')).length === 1);
  provider.play(embeds((vectors) => vectors.map(() => fakeVector('other', 9))));
  const second = await addText('Doctors', 'A physician is there on Mondays.');
  await until('the job ends', async () => {
    const { data } = await body(api.get<{ data: { status: string }[] }>(`${agent}/jobs`));
    return data.some(({ status }) => status === 'failed');
  });
  t.equal((await search('physician'))[0]?.documentId, second);
});

t.test('an agent with more chunks than are compared with a question has no vectors', async (t) => {
  const provider = await startFakeEmbeddings();
  t.teardown(() => provider.close());
  const service = await startTestService(t, {
    settings: { ...impatient, retrieval: { maxVectorChunks: 1 } },
    ...(await modelOf(t, provider)),
  });
  const { addText, search, forget } = await searchedAgent(service);
  await addText('Returns', 'Refunds are paid within two weeks.');
  await until('one is few enough', async () => (await search('indemnity')).length === 1);
  const second = await addText('Doctors', 'A physician is there on Mondays.');
  await until('it is told', async () =>
    service.logged.some(({ message }) => /maxVectorChunks/.test(message)),
  );
  t.equal((await search('physician')).length, 1);
  t.same(await search('indemnity'), [], 'by words alone');
  await forget(second);
  await until('it is small enough again', async () => (await search('indemnity')).length === 1);
});
