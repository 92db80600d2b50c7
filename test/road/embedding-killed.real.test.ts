import type { Test } from 'tap';
import { apiClient, body } from '../support/api-client.js';
import { embeddingOptions, embeds, startFakeEmbeddings } from '../support/fake-embeddings.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import { type Engine, emptyDatabase, onEachEngine } from '../support/service.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const DOCUMENTS = 14;

/** Processes over one database with the same model. */
async function installation(t: Test, engine: Engine, options: object) {
  const dataDir = tempFolder(t);
  const DATABASE_URL = await emptyDatabase(t, engine, dataDir);
  const config = {
    plugins: { embedding: { use: 'openai-compatible', options } },
    jobs: { stalledAfterSeconds: 2, backoffBaseMs: 50, backoffMaxMs: 200 },
  };
  return async () => {
    const server = await startServer({ dataDir, config, env: { DATABASE_URL } });
    t.teardown(() => server.killAll());
    return { server, api: apiClient(server.baseUrl, bootstrapKey) };
  };
}

await onEachEngine('kill -9 during the embedding of documents loses no vector', async (t, engine) => {
  // Slow enough to be killed in the middle.
  const provider = await startFakeEmbeddings(
    (response, call) => void setTimeout(() => embeds()(response, call), 100),
  );
  t.teardown(() => provider.close());
  const start = await installation(
    t,
    engine,
    embeddingOptions(provider.baseUrl, { batchSize: 2, maxConcurrent: 1 }),
  );
  const first = await start();
  const { id } = await first.api.agent();
  const path = `/agents/${id}`;
  for (let n = 0; n < DOCUMENTS; n++)
    await body(
      first.api.post(`${path}/sources/text`, {
        title: `Branch ${n}`,
        content: `Opening hours of branch ${n}.`,
      }),
    );
  await body(
    first.api.post(`${path}/sources/text`, { title: 'Returns', content: 'Refunds are paid in two weeks.' }),
  );
  await until('the first vectors are asked for', () => provider.calls.length > 2);
  await first.server.killAll();

  const second = await start();
  const calls = provider.calls.length;
  await until('it goes on', () => provider.calls.length > calls + 2);
  t.ok(second.server.killWorker(), 'the worker is killed, too');
  const found = await until('all of it has vectors', async () => {
    const { data } = await body(
      second.api.post<{ data: { title: string }[] }>(`${path}/search`, { query: 'indemnity' }),
    );
    return data.length > 0 && data;
  });
  t.equal(found[0]?.title, 'Returns');
  const { data: jobs } = await body(
    second.api.get<{ data: { status: string; type: string }[] }>(`${path}/jobs?limit=100`),
  );
  t.same(new Set(jobs.map(({ status, type }) => `${type} ${status}`)), new Set(['embed completed']));
  t.equal(await second.server.stop(), 0);
});
