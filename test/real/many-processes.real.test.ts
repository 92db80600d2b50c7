import { type Agent, apiClient } from '../support/api-client.js';
import { sampleFiles } from '../support/sample-files.js';
import t from '../support/t.js';
import { until } from '../support/until.js';
import { addKey } from '../support/workspace.js';
import { siteOrigin, startInstallation } from './installation.js';
import { servicesMissing } from './services.js';
import { allFields, singleFields } from './single-fields.js';

const DEADLINE_MS = 90_000;
const RETRAIN_INTERVAL_S = 2;
/** The result of a key lookup may be cached for five seconds. */
const REVOKED_WITHIN_MS = 6000;

interface Source {
  id: string;
  title: string;
  sourceType: string;
}

// Generous for busy machines: four processes start and work.
t.test('two APIs and two workers on real engines', { skip: await servicesMissing() }, async (t) => {
  const installation = await startInstallation(t, {
    CADRE_RETRAIN_INTERVAL_SECONDS: String(RETRAIN_INTERVAL_S),
  });
  const { apis, workers, store, database, site } = installation;
  const first = await installation.workspace();
  const [a, b] = installation.clients(first.apiKey);

  await t.test('all four are ready, the workers without a database', async (t) => {
    for (const { baseUrl } of apis) {
      const ready = await fetch(`${baseUrl}/readyz`);
      t.equal(ready.status, 200, await ready.text());
    }
    for (const { log } of workers) t.notMatch(log(), /mysql|sequelize|sqlite/i);
    const made = (await store.workspaces.list()).filter(({ name }) => name === 'default');
    t.equal(made.length, 1, 'both started on an empty database, and one of them made the first workspace');
  });

  await t.test(
    'pages and files given to one API are processed and can be read through the other',
    async (t) => {
      const agent = await a.call<Agent>('POST', '/agents', { name: 'reader' });
      const files = await a.addFiles(
        agent.id,
        sampleFiles((kind) => `The ${kind} file says so.`),
      );
      const pages = await Promise.all(
        [1, 2, 3, 4].map((n) =>
          (n % 2 ? a : b).call<{ jobId: string }>('POST', `/agents/${agent.id}/sources/url`, {
            url: `${siteOrigin}/page-${n}`,
          }),
        ),
      );
      for (const jobId of [files, ...pages.map((page) => page.jobId)]) {
        const { status, tasks } = await b.jobEnd(agent.id, jobId);
        t.equal(status, 'completed', tasks.map(({ target }) => target).join());
        t.same(
          tasks.flatMap(({ lastError }) => lastError ?? []),
          [],
        );
      }
      const sources = await b.walk<Source>(`/agents/${agent.id}/sources`);
      t.equal(sources.length, 10);
      for (const { id, title, sourceType } of sources) {
        const { text } = await b.call<{ text: string }>('GET', `/agents/${agent.id}/sources/${id}/content`);
        t.match(text, sourceType === 'file_upload' ? / file says so\./ : /Edition 0\./, title);
      }
      t.equal(await installation.storageOff(first.id), 0);
    },
  );

  await t.test('64 parallel patches of one agent through both APIs: none is lost', async (t) => {
    const agent = await a.call<Agent>('POST', '/agents', { name: 'patched' });
    const before = await store.reads.agent(first.id, agent.id);
    const prompts = Array.from({ length: 64 - singleFields.length }, (_, n) => `Instruction ${n}`);
    const patches = prompts.map((instructionsPrompt) => ({
      path: '/settings/ai',
      body: { instructionsPrompt },
    }));
    // Interleaved, so that each API has both kinds.
    const mixed = patches.flatMap((patch, n) => [patch, ...singleFields.slice(n, n + 1)]);
    t.equal(mixed.length, 64);
    await Promise.all(
      mixed.map(({ path, body }, n) => (n % 2 ? a : b).call('PATCH', `/agents/${agent.id}${path}`, body)),
    );
    const fromA = await a.call<Agent>('GET', `/agents/${agent.id}`);
    t.strictSame(await b.call<Agent>('GET', `/agents/${agent.id}`), fromA);
    const { instructionsPrompt, ...ai } = fromA.settings.ai as Record<string, string>;
    t.ok(prompts.includes(instructionsPrompt ?? ''), 'the last instruction is one of those sent');
    t.same({ ...fromA, settings: { ...fromA.settings, ai } }, { ...agent, ...allFields });
    const after = await store.reads.agent(first.id, agent.id);
    const turns = (after?.version ?? 0) - (before?.version ?? 0);
    t.ok(turns >= 2 && turns <= 64, 'those that waited together shared a turn');
  });

  await t.test('200 creations with a limit of 50 through both APIs: exactly 50', async (t) => {
    const small = await installation.workspace({ set: { 'limits.agents': 50 } });
    const both = apis.map(({ baseUrl }) => apiClient(baseUrl, small.apiKey));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        both[n % 2]?.post<{ error?: { code: string } }>('/agents', { name: `n ${n}` }),
      ),
    );
    const created = answers.filter((answer) => answer?.status === 201).length;
    const refused = answers.filter((answer) => answer?.body.error?.code === 'QUOTA_CHATBOT_LIMIT').length;
    t.same({ created, refused }, { created: 50, refused: 150 });
    const [rows] = await database.rows('SELECT COUNT(*) AS agents FROM agents WHERE workspace_id = ?', [
      small.id,
    ]);
    t.equal(rows?.agents, 50);
    t.equal((await store.workspaces.find(small.id))?.agents, 50, 'the counter says so, too');
  });

  await t.test('both APIs reject a revoked key within six seconds', async (t) => {
    const { apiKey, keyId } = await addKey(store.workspaces, first.id);
    const statuses = () =>
      Promise.all(apis.map(async ({ baseUrl }) => (await apiClient(baseUrl, apiKey).get('/agents')).status));
    t.same(await statuses(), [200, 200], 'it is known to both');
    t.ok(await store.workspaces.revokeKey(first.id, keyId, Math.floor(Date.now() / 1000)));
    await until(
      '401 from both',
      async () => (await statuses()).every((status) => status === 401),
      REVOKED_WITHIN_MS,
    );
    t.same(await statuses(), [401, 401]);
  });

  await t.test('auto-retrain creates one job per interval, although both APIs look for it', async (t) => {
    const agent = await a.call<Agent>('POST', '/agents', { name: 'fresh' });
    const { jobId } = await a.call<{ jobId: string }>('POST', `/agents/${agent.id}/sources/url`, {
      url: `${siteOrigin}/renewed`,
    });
    await b.jobEnd(agent.id, jobId);
    site.edition = 7;
    await b.call('PATCH', `/agents/${agent.id}/settings/training`, { autoRetrainEnabled: true });
    const retrains = async () =>
      (await store.reads.jobs(agent.id, { limit: 100, before: null })).filter(
        ({ type }) => type === 'retrain',
      );
    const jobs =
      (await until('four retrains', async () => (await retrains()).length >= 4, DEADLINE_MS)) &&
      (await retrains());
    const started = jobs.map(({ createdAt }) => createdAt).sort((x, y) => x - y);
    for (const [n, at] of started.slice(1).entries())
      t.ok(at - (started[n] ?? 0) >= RETRAIN_INTERVAL_S, `${at}`);
    const [source] = await a.walk<Source>(`/agents/${agent.id}/sources`);
    const content = () =>
      a.call<{ text: string }>('GET', `/agents/${agent.id}/sources/${source?.id}/content`);
    t.ok(
      await until('the new edition', async () => (await content()).text.includes('Edition 7.'), DEADLINE_MS),
    );
    await a.call('PATCH', `/agents/${agent.id}/settings/training`, { autoRetrainEnabled: false });
  });

  await t.test('SIGTERM ends all four with exit code 0', async (t) => {
    t.same(await Promise.all([...apis, ...workers].map(({ stop }) => stop())), [0, 0, 0, 0]);
  });
});
