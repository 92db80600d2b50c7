import { join } from 'node:path';
import t from 'tap';
import type { Agent } from '../support/api-client.js';
import { client } from '../support/flows.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../support/rabbitmq.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';
import { webSite } from '../support/web-site.js';
import { startProcess } from './cadre-process.js';
import { freshDatabase, servicesMissing } from './services.js';

t.setTimeout(290_000);

const PAGES = 12;
const origin = 'https://docs.two.example';
const key = 'bootstrap-key-of-a-test';

interface Ready {
  status: string;
  checks: { installation: { ok: boolean; reason?: string } };
}

t.test(
  'an API with another database on the same queue leaves events to their owner, and says so',
  { skip: await rabbitmqMissing() },
  async (t) => {
    const prefix = freshPrefix();
    t.teardown(() => deleteQueues(prefix));
    const site = await webSite(t);
    const folder = tempFolder(t);
    const start = async (role: 'api' | 'worker', dataDir: string) => {
      const started = await startProcess(role, {
        ROLES: role,
        PORT: '0',
        DATA_DIR: join(folder, dataDir),
        AMQP_URL: amqpUrl,
        BOOTSTRAP_API_KEY: key,
        CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
        CADRE_CRAWL_RESOLVE: JSON.stringify({ [origin]: site.origin }),
      });
      t.teardown(() => started.kill());
      return started;
    };
    const [ours, stray] = await Promise.all([
      start('api', 'ours'),
      start('api', 'stray'),
      start('worker', 'ours'),
    ]);
    t.match(stray.log(), /"level":40.*the queue is shared, but the database is a file of this process/);

    const api = client(ours.baseUrl, key);
    const { id } = await api.call<Agent>('POST', '/agents', { name: 'ours' });
    const jobs: string[] = [];
    for (let n = 1; n <= PAGES; n++) {
      site.page(`/page-${n}`, `This is page ${n} of them all.`);
      const url = `${origin}/page-${n}`;
      jobs.push((await api.call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, { url })).jobId);
    }
    for (const job of jobs) {
      const { status, tasks } = await api.jobEnd(id, job);
      t.equal(status, 'completed');
      t.equal(tasks[0]?.attempts, 1, 'no event was lost, so none had to run again');
    }

    const told = await until('the stray API tells', async () => {
      const answer = await fetch(`${stray.baseUrl}/readyz`);
      const ready = (await answer.json()) as Ready;
      return ready.checks.installation.ok ? null : { code: answer.status, ready };
    });
    t.equal(told.code, 200, 'it stays ready: the owner would see the same of the stray one');
    t.match(told.ready.checks.installation.reason, /events of another installation .* a prefix of its own/);
    t.match(await (await fetch(`${stray.baseUrl}/metrics`)).text(), /^foreign_events_total [1-9]/m);
    t.match(stray.log(), /"level":50.*events of another installation .*left for their owner/);
  },
);

t.test(
  'two installations on one virtual host: each worker does the tasks of its own and leaves the others',
  { skip: await servicesMissing() },
  async (t) => {
    const prefix = freshPrefix();
    t.teardown(() => deleteQueues(prefix));
    const [database, folder] = [await freshDatabase(t), tempFolder(t)];
    const installation = async (name: string, more: Record<string, string>) => {
      const site = await webSite(t);
      const start = async (role: 'api' | 'worker') => {
        const started = await startProcess(role, {
          ROLES: role,
          PORT: '0',
          DATA_DIR: join(folder, name),
          AMQP_URL: amqpUrl,
          BOOTSTRAP_API_KEY: key,
          CADRE_WORKERS_PORT: '0',
          CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
          // The same address leads each worker to the site of its own installation.
          CADRE_CRAWL_RESOLVE: JSON.stringify({ [origin]: site.origin }),
          ...more,
        });
        t.teardown(() => started.kill());
        return started;
      };
      for (let n = 1; n <= PAGES; n++) site.page(`/page-${n}`, `${name} has a page ${n}.`);
      const api = await start('api');
      const http = client(api.baseUrl, key);
      const { id } = await http.call<Agent>('POST', '/agents', { name });
      const submit = async () => {
        const jobs: string[] = [];
        for (let n = 1; n <= PAGES; n++) {
          const url = `${origin}/page-${n}`;
          jobs.push((await http.call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, { url })).jobId);
        }
        return jobs;
      };
      return { name, site, start, http, id, submit };
    };
    const [maria, sqlite] = await Promise.all([
      installation('maria', { DATABASE_URL: database.url }),
      installation('sqlite', {}),
    ]);

    // At first there is nobody for the tasks of one of them: they wait, however often the worker of the other meets them.
    const sqliteWorker = await sqlite.start('worker');
    const waiting = await maria.submit();
    const port = await until('the worker has a port', () =>
      Promise.resolve(/"port":(\d+).*health checks and metrics/.exec(sqliteWorker.log())?.[1] ?? null),
    );
    const operators = `http://127.0.0.1:${port}`;
    await until('each task was met more often than it may be delivered', async () => {
      const metrics = await (await fetch(`${operators}/metrics`)).text();
      return Number(/^foreign_tasks_total (\d+)/m.exec(metrics)?.[1] ?? 0) > PAGES * 10 || null;
    });
    const own = await sqlite.submit();
    for (const job of own) t.equal((await sqlite.http.jobEnd(sqlite.id, job)).status, 'completed');
    const ready = await fetch(`${operators}/readyz`);
    t.equal(ready.status, 200, 'it stays in service for its own');
    const { checks } = (await ready.json()) as Ready;
    t.match(checks.installation.reason, /tasks of another installation .* a prefix of its own/);
    const told = sqliteWorker.log().match(/"level":50.*tasks of another installation/g);
    t.equal(told?.length, 1, 'told once, not for each');

    await maria.start('worker');
    const more = await Promise.all([maria.submit(), sqlite.submit()]);
    for (const [{ name, http, id }, jobs] of [
      [maria, [...waiting, ...more[0]]],
      [sqlite, more[1]],
    ] as const) {
      for (const job of jobs) {
        const { status, tasks } = await http.jobEnd(id, job);
        t.equal(status, 'completed', name);
        t.equal(tasks[0]?.attempts, 1, 'none had to run again');
      }
    }
    for (const { name, http, id, site } of [maria, sqlite]) {
      for (let n = 1; n <= PAGES; n++) t.ok(site.hits(`/page-${n}`) > 0, `${name}: page ${n}`);
      const { data } = await http.call<{ data: { id: string }[] }>('GET', `/agents/${id}/sources?limit=100`);
      t.equal(data.length, PAGES);
      for (const source of data) {
        const content = await http.call<{ text: string }>(
          'GET',
          `/agents/${id}/sources/${source.id}/content`,
        );
        t.match(content.text, `${name} has a page`);
      }
    }
  },
);
