import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { openStore } from '../../adapters/sequelize/index.js';
import { projectFile } from '../../test/support/project-folder.js';
import { startServer } from '../../test/support/server-process.js';
import { createWorkspace } from '../../test/support/workspace.js';
import { median, shown } from '../figures.js';

/*
 * Texts and reads per second of one API, and of two behind nginx: with deploy/nginx/cadre.conf as it is, and with its requests spread
 * over both. Needs nginx in PATH and MySQL or MariaDB on 127.0.0.1:3306 (root, no password). Clients, balancer, APIs and database share
 * this machine, so only ratios within one run count.
 */

const SERVER = 'mysql://root@127.0.0.1:3306';
const [ROUNDS, ROUND_MS, CLIENTS, WORKSPACES, AGENTS] = [5, 4000, 32, 16, 64];
const PORT = 18_080;
const text = 'Our office opens at nine and closes at six. On Fridays we close at four. '.repeat(14);

const folder = mkdtempSync(join(tmpdir(), 'cadre-scaling-'));
const database = `cadre_scaling_${randomBytes(4).toString('hex')}`;
const administer = async (sql: string): Promise<void> => {
  const connection = await createConnection(SERVER);
  await connection.query(sql);
  await connection.end();
};

await administer(`CREATE DATABASE ${database}`);
const url = `${SERVER}/${database}`;
const store = openStore({ url, poolSize: 4, statementTimeoutMs: 15_000 });
await store.migrate();
const keys: string[] = [];
for (let n = 0; n < WORKSPACES; n += 1) keys.push((await createWorkspace(store.workspaces, {})).apiKey);
await store.close();

const start = () =>
  startServer({ dataDir: mkdtempSync(join(folder, 'api-')), env: { DATABASE_URL: url, LOG_LEVEL: 'warn' } });
const apis = [await start(), await start()];
const hosts = apis.map(({ baseUrl }) => new URL(baseUrl).host);

async function withNginx<T>(upstreams: string[], hashed: boolean, work: () => Promise<T>): Promise<T> {
  const site = readFileSync(projectFile('deploy/nginx/cadre.conf'), 'utf8')
    .replace('listen 8080;', `listen 127.0.0.1:${PORT};`)
    .replace(/server api:3000.*;/, upstreams.map((host) => `server ${host};`).join(' '))
    .replace(/^ *hash .*$/m, hashed ? '$&' : '');
  const config = join(folder, 'nginx.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    config,
    `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')}\n${site} }`,
  );
  const nginx = spawn('nginx', ['-p', folder, '-c', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolve) => nginx.once('exit', resolve));
  for (;;) {
    const up = await fetch(`http://127.0.0.1:${PORT}/api/v2/health`).catch(() => null);
    if (up?.ok) break;
  }
  try {
    return await work();
  } finally {
    nginx.kill();
    await ended;
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
const send = (method: string, path: string, key: string, body?: object): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const sent = request(
      { port: PORT, host: '127.0.0.1', method, path: `/api/v2${path}`, headers, agent },
      (response) => {
        let said = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          said += piece;
        });
        response.on('end', () =>
          (response.statusCode ?? 500) < 300
            ? resolve(said)
            : reject(new Error(`${response.statusCode} ${said}`)),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body ? JSON.stringify(body) : undefined);
  });

const agents: { id: string; key: string }[] = [];
await withNginx(hosts, true, async () => {
  for (let n = 0; n < AGENTS; n += 1) {
    const key = keys[n % keys.length] ?? '';
    agents.push({
      id: (JSON.parse(await send('POST', '/agents', key, { name: `agent ${n}` })) as { id: string }).id,
      key,
    });
  }
});

type Operation = (of: { id: string; key: string }) => Promise<unknown>;
let number = 0;
const addText: Operation = ({ id, key }) =>
  send('POST', `/agents/${id}/sources/text`, key, { title: `${++number}`, content: `${number} ${text}` });
const readAgent: Operation = ({ id, key }) => send('GET', `/agents/${id}`, key);
const loads: { name: string; operation: Operation; among: number }[] = [
  { name: `texts of 1 kB, ${AGENTS} agents`, operation: addText, among: AGENTS },
  { name: 'texts of 1 kB, 4 agents', operation: addText, among: 4 },
  { name: `GET agent, ${AGENTS} agents`, operation: readAgent, among: AGENTS },
];

async function perSecond({ operation, among }: (typeof loads)[number]): Promise<number> {
  let done = 0;
  const startedAt = performance.now();
  const end = startedAt + ROUND_MS;
  const client = async () => {
    while (performance.now() < end) {
      const target = agents[Math.floor(Math.random() * among)];
      if (target) await operation(target);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return (done / (performance.now() - startedAt)) * 1000;
}

const contenders = {
  'one API': () => [hosts.slice(0, 1), true] as const,
  'two, by agent': () => [hosts, true] as const,
  'two, spread': () => [hosts, false] as const,
};
for (const load of loads) {
  const rates = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [who, parts] of Object.entries(contenders)) {
      const rate = await withNginx([...parts()[0]], parts()[1], () => perSecond(load));
      rates.set(who, [...(rates.get(who) ?? []), rate]);
    }
  for (const [who, all] of rates)
    console.log(
      `${load.name}, ${who}: ${shown(median(all))} a second (${shown(Math.min(...all))} to ${shown(Math.max(...all))})`,
    );
}
agent.destroy();
for (const api of apis) await api.stop();
await administer(`DROP DATABASE ${database}`);
rmSync(folder, { recursive: true, force: true });
