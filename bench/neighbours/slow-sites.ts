import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../adapters/sequelize/index.js';
import { type Client, client } from '../../test/support/flows.js';
import { amqpUrl, deleteQueues, freshPrefix } from '../../test/support/rabbitmq.js';
import { startServer } from '../../test/support/server-process.js';
import { startTarpitSite, type TarpitSite } from '../../test/support/tarpit-site.js';
import { createWorkspace } from '../../test/support/workspace.js';

/*
 * `npm run bench:slow-sites -- [local|rabbitmq] [attack …]` (after a build): how long a quiet workspace waits for one
 * page and for one small file while another workspace makes the service wait for slow sites. Each attack has a service
 * of its own, with all settings at their defaults.
 */

/** What one workspace submits: a list of URLs for each of its agents. */
interface Attack {
  name: string;
  urls: (site: TarpitSite) => string[][];
}

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

const HOSTS = 60;
const attacks: Attack[] = [
  { name: 'calm', urls: () => [] },
  { name: 'slow-robots', urls: ({ slowRobots }) => [times(16, slowRobots)] },
  { name: 'one-agent', urls: ({ tarpit }) => [times(240, tarpit)] },
  {
    name: 'one-host',
    urls: ({ tarpit }) => times(30, (agent) => times(8, (n) => tarpit((agent * 8 + n) * HOSTS))),
  },
  {
    name: 'thirty-agents',
    urls: ({ tarpit }) => times(30, (agent) => times(8, (n) => tarpit(agent * 8 + n))),
  },
];

/** Before the neighbour comes, the attack has taken what it can get, and an idle thread for files has ended. */
const SETTLE_MS = 12_000;

const newAgent = async (api: Client, name: string): Promise<string> =>
  (await api.call<{ id: string }>('POST', '/agents', { name })).id;

const addUrl = async (api: Client, agentId: string, url: string): Promise<string> =>
  (await api.call<{ jobId: string }>('POST', `/agents/${agentId}/sources/url`, { url })).jobId;

const seconds = (ms: number): number => Math.round(ms / 10) / 100;

async function submit(api: Client, lists: string[][]): Promise<void> {
  for (const [n, urls] of lists.entries()) {
    const agentId = await newAgent(api, `agent ${n}`);
    for (const url of urls) await addUrl(api, agentId, url);
  }
}

/** Seconds from each request until its job has ended. */
async function neighbour(api: Client, site: TarpitSite): Promise<{ page: number; file: number }> {
  const agentId = await newAgent(api, 'neighbour');
  const timed = async (start: () => Promise<string | number>): Promise<number> => {
    const from = performance.now();
    const { status } = await api.jobEnd(agentId, await start(), WAIT_MS);
    if (status !== 'completed') throw new Error(`the neighbour's job ended as ${status}`);
    return seconds(performance.now() - from);
  };
  const bytes = Buffer.from('Opening hours: nine to five');
  const [page, file] = await Promise.all([
    timed(() => addUrl(api, agentId, site.quickPage('hours'))),
    timed(() => api.addFiles(agentId, [{ fileName: 'hours.txt', type: 'text/plain', bytes }])),
  ]);
  return { page, file };
}

const WAIT_MS = 400_000;

async function measure(attack: Attack, queue: string): Promise<{ page: number; file: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cadre-slow-sites-'));
  const prefix = freshPrefix();
  const site = await startTarpitSite({ hosts: HOSTS, chains: 16, hops: 5, robotsMs: 18_000 });
  const env: Record<string, string> =
    queue === 'rabbitmq'
      ? { AMQP_URL: amqpUrl, CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }) }
      : {};
  const server = await startServer({
    dataDir,
    config: { crawl: { resolve: site.resolve } },
    env: { LOG_LEVEL: 'warn', ...env },
  });
  const store = openStore({
    url: `sqlite:${join(dataDir, 'cadre.sqlite')}`,
    poolSize: 1,
    statementTimeoutMs: 5_000,
  });
  try {
    const clientOf = async () => client(server.baseUrl, (await createWorkspace(store.workspaces, {})).apiKey);
    const [attacker, quiet] = [await clientOf(), await clientOf()];
    await neighbour(quiet, site);
    await submit(attacker, attack.urls(site));
    await pause(SETTLE_MS);
    return await neighbour(quiet, site);
  } finally {
    await store.close();
    await server.killAll();
    await site.close();
    if (queue === 'rabbitmq') await deleteQueues(prefix);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

const [queue = 'local', ...wanted] = process.argv.slice(2);
for (const attack of attacks.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const { page, file } = await measure(attack, queue);
  console.log(`${queue} ${attack.name}: page ${page} s, file ${file} s`);
}
