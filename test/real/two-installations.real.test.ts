import { join } from 'node:path';
import type { Agent } from '../support/api-client.js';
import { commandLine } from '../support/command-line.js';
import { client } from '../support/flows.js';
import { amqpUrl, deleteQueues, freshPrefix } from '../support/rabbitmq.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { webSite } from '../support/web-site.js';
import { type CadreProcess, startProcess } from './cadre-process.js';
import { freshDatabase, servicesMissing } from './services.js';

const PAGES = 12;
const origin = 'https://docs.two.example';
const key = 'bootstrap-key-of-a-test';

t.test(
  'a second installation is refused the queue and the storage of the first, until it adopts them',
  { skip: await servicesMissing() },
  async (t) => {
    const [prefix, otherPrefix, folder] = [freshPrefix(), freshPrefix(), tempFolder(t)];
    t.teardown(() => Promise.all([prefix, otherPrefix].map((each) => deleteQueues(each))));
    const [site, database] = [await webSite(t), await freshDatabase(t)];
    for (let n = 1; n <= PAGES; n += 1) site.page(`/page-${n}`, `This is page ${n} of them all.`);

    const shared = { DATA_DIR: join(folder, 'ours'), BOOTSTRAP_API_KEY: key, AMQP_URL: amqpUrl };
    const onQueue = (prefix: string) => ({ CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }) });
    const first = { ...shared, ...onQueue(prefix) };
    const second = { ...first, DATABASE_URL: database.url };
    const start = async (role: 'api' | 'worker', env: Record<string, string>) => {
      const resolve = { CADRE_CRAWL_RESOLVE: JSON.stringify({ [origin]: site.origin }) };
      const started = await startProcess(role, { ROLES: role, PORT: '0', ...resolve, ...env });
      t.teardown(() => (started.ended() ? undefined : started.kill()));
      return started;
    };
    const learns = async ({ baseUrl }: CadreProcess) => {
      const api = client(baseUrl, key);
      const { id } = await api.call<Agent>('POST', '/agents', { name: 'ours' });
      const jobs: string[] = [];
      for (let n = 1; n <= PAGES; n += 1) {
        const url = `${origin}/page-${n}`;
        jobs.push((await api.call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, { url })).jobId);
      }
      for (const job of jobs) {
        const { status, tasks } = await api.jobEnd(id, job);
        t.equal(status, 'completed');
        t.equal(tasks[0]?.attempts, 1);
      }
    };

    const [api] = await Promise.all([start('api', first), start('worker', first)]);
    t.match(api.log(), /"level":40.*the queue is shared, but the database is a file of this process/);
    await t.rejects(start('api', { ...second, DATA_DIR: join(folder, 'theirs') }), {
      message: /The queue cannot be used .*belong to another installation .*`npx cadre installation adopt`/,
    });
    await t.rejects(start('api', { ...second, ...onQueue(otherPrefix) }), {
      message: /The file storage cannot be used: the storage belongs to another installation/,
    });
    const third = { ...shared, ...onQueue(otherPrefix), DATA_DIR: join(folder, 'third') };
    // The process that was refused the storage has not claimed the queue.
    await (await start('api', third)).stop();
    await learns(api);

    await api.stop();
    await commandLine(second).json('migrate');
    t.match(await commandLine(second).json('installation', 'adopt'), { adoptedFrom: /^[0-9a-f]{12}$/ });
    await learns(await start('api', second));
    await t.rejects(start('api', first), { message: /belongs to another installation/ });
  },
);
