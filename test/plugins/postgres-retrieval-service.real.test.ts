import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { changingSite } from '../real/changing-site.js';
import { openFaultyProxy } from '../support/faulty-proxy.js';
import { client } from '../support/flows.js';
import { freshPostgres, postgresMissing } from '../support/postgres.js';
import { projectFile } from '../support/project-folder.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const example = fileURLToPath(projectFile('plugins/examples/postgres-retrieval'));
const siteOrigin = 'https://docs.postgres-retrieval.example';

// Generous for busy machines: processes are started and killed.
interface Agent {
  id: string;
}

interface Hits {
  data: { documentId: string; text: string }[];
}

/** A data folder, a PostgreSQL behind a faulty proxy, and servers over both. */
async function installation(t: Test) {
  const dataDir = tempFolder(t);
  const site = await changingSite(t);
  const postgres = await freshPostgres(t);
  const { hostname, port } = new URL(postgres.url);
  const proxy = await openFaultyProxy({ host: hostname, port: Number(port) });
  t.teardown(() => proxy.close());

  const postgresEngine = {
    retrieval: { use: relative(dataDir, example), options: { url: proxy.through(postgres.url) } },
  };

  async function start(plugins: object = postgresEngine) {
    const server = await startServer({
      dataDir,
      config: {
        plugins,
        crawl: { resolve: { [siteOrigin]: site.origin } },
        retrain: { intervalSeconds: 3600 },
      },
    });
    t.teardown(async () => {
      if (!t.passing()) t.comment(server.log().slice(-6000));
      await server.killAll().catch(() => {});
    });
    const api = client(server.baseUrl, bootstrapKey);
    const search = async (agentId: string, query: string, limit = 10): Promise<string[]> =>
      (await api.call<Hits>('POST', `/agents/${agentId}/search`, { query, limit })).data.map(
        ({ documentId }) => documentId,
      );
    const add = async (agentId: string, title: string, content: string): Promise<string> =>
      (await api.call<{ documentId: string }>('POST', `/agents/${agentId}/sources/text`, { title, content }))
        .documentId;
    const ready = async () => {
      const response = await fetch(`${server.baseUrl}/readyz`);
      const { checks } = (await response.json()) as {
        checks: { retrieval: { ok: boolean; reason?: string } };
      };
      return { status: response.status, retrieval: checks.retrieval };
    };
    const metric = async (name: string): Promise<number> => {
      const text = await (await fetch(`${server.baseUrl}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    return { ...server, ...api, add, search, ready, metric };
  }

  const known = async (agentId: string): Promise<{ version: number; documents: number; chunks: number }> => {
    const [row] = await postgres.rows(
      `SELECT knowledge_version AS version, (SELECT count(*) FROM cadre.documents WHERE agent = key) AS documents,
         (SELECT count(*) FROM cadre.chunks WHERE agent = key) AS chunks FROM cadre.agents WHERE id = $1`,
      [agentId],
    );
    return {
      version: Number(row?.version ?? 0),
      documents: Number(row?.documents ?? 0),
      chunks: Number(row?.chunks ?? 0),
    };
  };
  return { start, site, proxy, known };
}

const skip = await postgresMissing();

t.test(
  'added, replaced and deleted documents are found in their current state at once',
  { skip },
  async (t) => {
    const { start, site, known } = await installation(t);
    const { call, add, jobEnd, search, ready, metric, stop } = await start();
    const { id } = await call<Agent>('POST', '/agents', { name: 'keeper' });
    const heron = await add(id, 'Heron', 'The heron stands in the pond.');
    await add(id, 'Walrus', 'The walrus has two tusks.');
    t.same(
      await search(id, 'Where does the heron stand?'),
      [heron, ...(await search(id, 'walrus'))].slice(0, 2),
    );

    site.edition = 41;
    const { jobId } = await call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, {
      url: `${siteOrigin}/one`,
    });
    await jobEnd(id, jobId);
    const [page] = await search(id, '41');
    t.ok(page, 'the page is found by what it says');
    site.edition = 42;
    const again = await call<{ jobId: string }>('POST', `/agents/${id}/train`, {});
    await jobEnd(id, again.jobId);
    t.same(await search(id, '42'), [page], 'and by what it says now');
    t.same(await search(id, '41'), [], 'no more by what it said');

    await call('DELETE', `/agents/${id}/sources/${heron}`);
    t.notOk((await search(id, 'heron pond')).includes(heron), 'a deleted document is not found any more');
    await until('PostgreSQL has forgotten it', async () => (await known(id)).documents === 2);
    await until('nothing is behind', async () => (await metric('retrieval_behind_changes')) === 0);
    t.same(await ready(), { status: 200, retrieval: { ok: true } });

    await call('DELETE', `/agents/${id}`);
    await until('PostgreSQL has forgotten the agent', async () => (await known(id)).version === 0);
    t.equal(await stop(), 0);
  },
);

t.test('an API that is killed while feeding leaves the rest to the next one', { skip }, async (t) => {
  const { start, proxy, known } = await installation(t);
  const first = await start();
  const { id } = await first.call<Agent>('POST', '/agents', { name: 'keeper' });
  const documents = 24;
  // Nothing is sent yet: the proxy is slow and continues to deliver data of a dead sender.
  proxy.delay(400);
  for (let n = 0; n < documents; n++)
    await first.call('POST', `/agents/${id}/sources/text`, {
      title: `Part ${n}`,
      content: `Marker m${n}x.\n\n${'Herons stand in ponds and wait for fish. '.repeat(3000)}`,
    });
  await until('it is being fed', async () => {
    const { version } = await known(id);
    return version > 0;
  });
  await first.killAll();
  t.ok((await known(id)).version < documents, 'it had not been told everything');
  proxy.restore();
  const second = await start();
  await until('it has caught up', async () => (await known(id)).version === documents);
  t.equal((await known(id)).documents, documents);
  const { data } = await second.call<{ data: { id: string }[] }>('GET', `/agents/${id}/sources?limit=100`);
  const found = await Promise.all(data.map((_, n) => second.search(id, `m${n}x`)));
  t.ok(
    found.every(({ length }) => length === 1),
    'each is found, and once',
  );
  t.equal(new Set(found.flat()).size, documents);
  t.equal(await second.stop(), 0);
});

t.test(
  'while PostgreSQL is down, questions return 503, everything else works, and it catches up',
  { skip },
  async (t) => {
    const { start, proxy } = await installation(t);
    const { call, add, search, ready, metric, baseUrl, stop } = await start();
    const { id } = await call<Agent>('POST', '/agents', { name: 'keeper' });
    const heron = await add(id, 'Heron', 'The heron stands in the pond.');
    t.same(await search(id, 'heron'), [heron]);

    proxy.refuse();
    proxy.cut();
    const walrus = await add(id, 'Walrus', 'The walrus has two tusks.');
    const refused = await fetch(`${baseUrl}/api/v2/agents/${id}/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bootstrapKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'walrus' }),
    });
    t.equal(refused.status, 503);
    t.ok(Number(refused.headers.get('retry-after')) > 0, 'it says when to come again');
    t.match(await ready(), { status: 200, retrieval: { ok: false, reason: /^PostgreSQL: / } });
    await call('DELETE', `/agents/${id}/sources/${heron}`);

    proxy.restore();
    await until('it is back', async () => (await ready()).retrieval.ok);
    t.same(await search(id, 'walrus heron'), [walrus]);
    await until('nothing is behind', async () => (await metric('retrieval_behind_changes')) === 0);
    t.equal(await stop(), 0);
  },
);

t.test('an installation that switches to PostgreSQL feeds it everything', { skip }, async (t) => {
  const { start, known } = await installation(t);
  const before = await start({});
  const { id } = await before.call<Agent>('POST', '/agents', { name: 'keeper' });
  const heron = await before.add(id, 'Heron', 'The heron stands in the pond.');
  t.same(await before.search(id, 'heron'), [heron]);
  await before.stop();
  const after = await start();
  await until('it has caught up', async () => (await known(id)).documents === 1);
  t.same(await after.search(id, 'heron'), [heron]);
  t.equal(await after.stop(), 0);
});
