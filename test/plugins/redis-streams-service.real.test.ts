import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../real/cadre-process.js';
import { changingSite } from '../real/changing-site.js';
import { client } from '../support/flows.js';
import { projectFile } from '../support/project-folder.js';
import { freshPrefix, redisMissing, redisUrl, removeKeys, seenInRedis } from '../support/redis.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const example = fileURLToPath(projectFile('plugins/examples/redis-streams-queue'));
const siteOrigin = 'https://docs.redis-streams.example';
const apiKey = 'bootstrap-key-of-a-test';
const PAGES = 12;

// Generous for busy machines: three processes start and work.
t.test(
  'the service with the example as its queue: a worker dies with -9, and the job completes',
  { skip: await redisMissing() },
  async (t) => {
    const prefix = freshPrefix();
    t.teardown(() => removeKeys(prefix));
    const site = await changingSite(t);
    const dataDir = tempFolder(t);
    const configFile = join(dataDir, 'cadre.json');
    writeFileSync(
      configFile,
      JSON.stringify({
        plugins: { queue: { use: relative(dataDir, example) } },
        crawl: { resolve: { [siteOrigin]: site.origin }, perHostConcurrency: 4 },
      }),
    );
    const start = async (role: 'api' | 'worker', userAgent = 'CadreBot/1.0') => {
      const started = await startProcess(role, {
        ROLES: role,
        CONFIG_FILE: configFile,
        DATA_DIR: dataDir,
        PORT: '0',
        BOOTSTRAP_API_KEY: apiKey,
        CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ url: redisUrl, prefix }),
        CADRE_CRAWL_USER_AGENT: userAgent,
      });
      t.teardown(async () => {
        if (!t.passing()) t.comment(started.log().slice(-6000));
        if (!started.ended()) await started.kill();
      });
      return started;
    };
    const api = await start('api');
    t.equal((await fetch(`${api.baseUrl}/readyz`)).status, 200);
    const { call, jobEnd, walk } = client(api.baseUrl, apiKey);
    const { id } = await call<{ id: string }>('POST', '/agents', { name: 'reader' });
    const jobs = await Promise.all(
      Array.from({ length: PAGES }, (_, n) =>
        call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, { url: `${siteOrigin}/page-${n}` }),
      ),
    );
    await until('tasks wait', async () => (await seenInRedis(prefix)).tasks > 0);

    const reading = site.hold('DoomedBot/1.0');
    const doomed = await start('worker', 'DoomedBot/1.0');
    await reading;
    await doomed.kill();
    const { held } = await seenInRedis(prefix);
    t.ok(held > 0, 'it died with tasks in its hands');
    await start('worker');

    for (const { jobId } of jobs) {
      const { status, tasksFailedCount, tasks } = await jobEnd(id, jobId);
      t.same([status, tasksFailedCount], ['completed', 0]);
      t.same(
        tasks.map(({ attempts }) => attempts),
        [1],
        'the death used up no attempt',
      );
    }
    t.equal((await walk(`/agents/${id}/sources`)).length, PAGES, 'each page is there once');
    await until('nothing is left in Redis', async () => {
      const { tasks, events } = await seenInRedis(prefix);
      return tasks === 0 && events === 0;
    });
    t.equal(await api.stop(), 0);
  },
);
