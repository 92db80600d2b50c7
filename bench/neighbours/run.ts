import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../adapters/sequelize/index.js';
import { client } from '../../test/support/flows.js';
import { type ServerProcess, startServer } from '../../test/support/server-process.js';
import { startTarpitSite, type TarpitSite } from '../../test/support/tarpit-site.js';
import { createWorkspace } from '../../test/support/workspace.js';
import { spread } from '../siege/tally.js';
import { type Attacker, badThings } from './bad-things.js';
import { addPages } from './many-pages.js';
import type { Seen } from './quiet-tenant.js';
import { type Row, section, writeSection } from './report.js';

/*
 * `npm run bench:neighbours [-- part of a name …]` (after a build): what a quiet tenant notices while another does each of twelve bad things,
 * beside itself in calm just before; written to bench/results/neighbours.md. Each has a service of its own, with a heap of 384 MB. The quiet tenant
 * has a process of its own: what the attacker's client costs is not the service's.
 */

const HEAP_MB = 384;
const CALM_MS = 8_000;
const BAD_MS = 20_000;
/** Before the quiet tenant is measured, the bad thing has taken what it can get. */
const SETTLE_MS = 3_000;
/** How much slower than in calm it may be at the 99th percentile. */
const GOAL = 5;

interface Report {
  calm: Seen;
  beside: Seen;
  died: boolean;
}

async function measure(name: string): Promise<Report> {
  const badThing = badThings.find((thing) => thing.name === name);
  const dataDir = mkdtempSync(join(tmpdir(), 'cadre-neighbours-'));
  const site = await startTarpitSite({ hosts: 60, chains: 16, hops: 5, robotsMs: 18_000 });
  const server = await startServer({
    dataDir,
    config: { crawl: { resolve: site.resolve } },
    env: { LOG_LEVEL: 'error', NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
  });
  const file = join(dataDir, 'cadre.sqlite');
  const store = openStore({ url: `sqlite:${file}`, poolSize: 1, statementTimeoutMs: 5_000 });
  let quiet: ChildProcess | undefined;
  try {
    const keyOf = async () => (await createWorkspace(store.workspaces, {})).apiKey;
    quiet = await quietTenant(server, await keyOf(), site);
    const attacker = await prepare(server, await keyOf(), file, site);
    await seenIn(quiet, CALM_MS / 2);
    const calm = await seenIn(quiet, CALM_MS);
    let over = false;
    const bad = badThing?.run(attacker, () => over);
    await pause(SETTLE_MS);
    const beside = await seenIn(quiet, BAD_MS);
    over = true;
    await bad;
    return { calm, beside, died: !alive(server) };
  } finally {
    quiet?.kill();
    await store.close();
    await server.killAll();
    await site.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

function alive({ pid }: ServerProcess): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function seenIn(quiet: ChildProcess, ms: number): Promise<Seen> {
  const answer = once(quiet, 'message');
  quiet.send(ms);
  const [seen] = await answer;
  return seen as Seen;
}

async function quietTenant(server: ServerProcess, key: string, site: TarpitSite): Promise<ChildProcess> {
  const { id } = await client(server.baseUrl, key).call<{ id: string }>('POST', '/agents', { name: 'quiet' });
  return fork(join(import.meta.dirname, 'quiet-process.ts'), [server.baseUrl, key, id, site.quickPage('')], {
    execArgv: ['--import=tsx'],
  });
}

async function prepare(
  server: ServerProcess,
  key: string,
  file: string,
  site: TarpitSite,
): Promise<Attacker> {
  const api = client(server.baseUrl, key);
  const newAgent = async () => (await api.call<{ id: string }>('POST', '/agents', { name: 'agent' })).id;
  const [bigSettings, twentyPages, manyPages] = [await newAgent(), await newAgent(), await newAgent()];
  await api.call('PATCH', `/agents/${bigSettings}/settings/ai`, { instructionsPrompt: 'é'.repeat(65_536) });
  await api.call('PATCH', `/agents/${bigSettings}/settings/security`, {
    allowedDomains: {
      enabled: true,
      domains: Array.from({ length: 60 }, (_, n) => `https://h${n}.acme.com/${'p'.repeat(1900)}`),
    },
  });
  for (let n = 0; n < 20; n += 1)
    await api.call('POST', `/agents/${twentyPages}/sources/url`, { url: site.quickPage(`twenty-${n}`) });
  await api.walk(`/agents/${twentyPages}/jobs`);
  addPages(file, manyPages, (n) => site.quickPage(`many-${n}`));
  return { api, origin: server.baseUrl, key, bigSettings, twentyPages, manyPages, site };
}

/** Of everything that was timed, what the quiet tenant would notice first. */
function rows({ calm, beside, died }: Report): Row[] {
  return Object.keys(calm.times).map((what) => {
    const [before, during] = [spread(calm.times[what] ?? []), spread(beside.times[what] ?? [])];
    const ratio = Math.round((during.p99 / Math.max(1, before.p99)) * 10) / 10;
    const errors = beside.errors.filter((error) => error.startsWith(`${what}:`)).length;
    const met = errors === 0 && !died && during.n > 0 && ratio <= GOAL;
    return { what, calm: before, beside: during, ratio, errors, met };
  });
}

const RESULTS = join(import.meta.dirname, '../results/neighbours.md');
const all = badThings.map(({ name }) => name);
const wanted = process.argv.slice(2);
const names = all.filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const missed: string[] = [];
for (const name of names) {
  const report = await measure(name);
  const table = rows(report);
  const text = section(name, report.died, table);
  console.log(`\n${text}`);
  writeSection(RESULTS, all, name, text);
  for (const error of new Set(report.beside.errors)) console.log(`  ${error}`);
  missed.push(...table.filter(({ met }) => !met).map(({ what }) => `${name} / ${what}`));
}
console.log(missed.length === 0 ? '\nall goals met' : `\n${missed.length} missed:\n  ${missed.join('\n  ')}`);
process.exitCode = missed.length === 0 ? 0 : 1;
