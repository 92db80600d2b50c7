import { join } from 'node:path';
import type { Test } from 'tap';
import { openStore } from '../../adapters/sequelize/index.js';
import { type Client, client } from '../support/flows.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../support/rabbitmq.js';
import { startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { startTarpitSite, type TarpitSite } from '../support/tarpit-site.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';
import { createWorkspace } from '../support/workspace.js';

/* The real service while some workspaces submit sites that never respond: other workspaces must not notice. */

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** URLs that a workspace submits, per agent. Each attack exceeds the slots and the window. */
const attacks: { name: string; urls: (site: TarpitSite) => string[][] }[] = [
  { name: 'robots.txt is slow on every hop', urls: ({ slowRobots }) => [times(20, slowRobots)] },
  { name: 'one agent has many pages that never answer', urls: ({ tarpit }) => [times(20, tarpit)] },
  {
    name: 'many agents have pages that never answer',
    urls: ({ tarpit }) => times(6, (agent) => times(4, (n) => tarpit(agent * 4 + n))),
  },
  { name: 'all of them are at one host', urls: ({ tarpit }) => [times(20, () => tarpit(39))] },
];

interface Submitted {
  agentId: string;
  jobId: string;
}

async function submit(api: Client, lists: string[][]): Promise<Submitted[]> {
  const submitted: Submitted[] = [];
  for (const urls of lists) {
    const { id: agentId } = await api.call<{ id: string }>('POST', '/agents', { name: 'a' });
    for (const url of urls) {
      const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${agentId}/sources/url`, { url });
      submitted.push({ agentId, jobId });
    }
  }
  return submitted;
}

/** Whether no submitted job has ended. */
async function allWait(api: Client, submitted: Submitted[]): Promise<boolean> {
  const jobs = await Promise.all(
    submitted.map(({ agentId, jobId }) =>
      api.call<{ status: string }>('GET', `/agents/${agentId}/jobs/${jobId}`),
    ),
  );
  return jobs.every(({ status }) => status === 'pending' || status === 'running');
}

async function neighboursOf(t: Test, env: Record<string, string>): Promise<void> {
  const dataDir = tempFolder(t);
  // Much longer than the test, so that these pages never arrive.
  const site = await startTarpitSite({ hosts: 40, chains: 4, hops: 3, robotsMs: 600_000 });
  t.teardown(() => site.close());
  const config = {
    crawl: { resolve: site.resolve, timeoutMs: 600_000 },
    jobs: { window: 16, windowPerAgent: 8 },
    workers: { slots: 4 },
  };
  const server = await startServer({ dataDir, config, env });
  t.teardown(() => server.killAll());
  const store = openStore({
    url: `sqlite:${join(dataDir, 'cadre.sqlite')}`,
    poolSize: 1,
    statementTimeoutMs: 5000,
  });
  t.teardown(() => store.close());
  const newClient = async () => client(server.baseUrl, (await createWorkspace(store.workspaces, {})).apiKey);

  for (const { name, urls } of attacks) {
    await t.test(name, async (t) => {
      const [attacker, quiet] = [await newClient(), await newClient()];
      const held = site.held();
      const submitted = await submit(attacker, urls(site));
      await until('the attack to have its share', async () => site.held() > held);
      const { id } = await quiet.call<{ id: string }>('POST', '/agents', { name: 'neighbour' });
      const page = await quiet.call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, {
        url: site.quickPage(name.replaceAll(' ', '-')),
      });
      const file = await quiet.addFiles(id, [
        { fileName: 'hours.txt', type: 'text/plain', bytes: Buffer.from('Opening hours: nine to five') },
      ]);
      t.match(await quiet.jobEnd(id, page.jobId), { status: 'completed' });
      t.match(await quiet.jobEnd(id, file), { status: 'completed' });
      t.ok(await allWait(attacker, submitted), 'the attack is still under way');
    });
  }
}

t.test('with the embedded queue', (t) => neighboursOf(t, {}));

t.test('over RabbitMQ', { skip: await rabbitmqMissing() }, async (t) => {
  const prefix = freshPrefix();
  t.teardown(() => deleteQueues(prefix));
  await neighboursOf(t, {
    AMQP_URL: amqpUrl,
    CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
  });
});
