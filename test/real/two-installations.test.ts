import { join } from 'node:path';
import t from 'tap';
import type { Agent } from '../support/api-client.js';
import { client } from '../support/flows.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../support/rabbitmq.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';
import { webSite } from '../support/web-site.js';
import { startProcess } from './cadre-process.js';

t.setTimeout(180_000);

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
