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
import { type Attacker, type BadThing, badThings } from './bad-things.js';
import { addPages } from './many-pages.js';
import type { Begin } from './quiet-process.js';
import type { Seen } from './quiet-tenant.js';
import { type Row, section, type Verdict, writePage } from './report.js';

/*
 * `npm run bench:neighbours [-- part of a name …]` (after a build): what a quiet tenant notices while another does
 * each of twelve bad things. It is compared with the calm just before, and with the same done to another installation
 * on the same machine: what the quiet tenant notices then comes from the machine, not from the service. Written to
 * bench/results/neighbours.md. Each bad thing has a service of its own, with a heap of 384 MB. The quiet tenant and
 * its web site have a process of their own: what the attacker's client costs is not the service's.
 */

const HEAP_MB = 384;
/** Long enough that a p99 is not the slowest request of all. */
const CALM_MS = 20_000;
const ELSEWHERE_MS = 12_000;
const BAD_MS = 40_000;
const WARM_UP_MS = 4_000;
/** Before the quiet tenant is measured, the bad thing has taken what it can get. */
const SETTLE_MS = 3_000;
const QUIET_SITE = 'https://hours.quiet.example';
/** Highest p99: `ms`, or `timesCalm` times the p99 in calm. */
const GOAL = { ms: 50, timesCalm: 10 };

const isGood = (p99: number, calmP99: number): boolean => p99 <= Math.max(GOAL.ms, GOAL.timesCalm * calmP99);

interface Report {
  calm: Seen;
  /** While the bad thing was done to another installation. */
  elsewhere: Seen;
  beside: Seen;
  died: boolean;
}

interface Installation {
  server: ServerProcess;
  newKey(): Promise<string>;
  attacker(): Promise<Attacker>;
  remove(): Promise<void>;
}

async function install(resolve: Record<string, string>, site: TarpitSite): Promise<Installation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cadre-neighbours-'));
  const server = await startServer({
    dataDir,
    config: { crawl: { resolve } },
    env: { LOG_LEVEL: 'error', NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
  });
  const file = join(dataDir, 'cadre.sqlite');
  const store = openStore({ url: `sqlite:${file}`, poolSize: 1, statementTimeoutMs: 5_000 });
  const newKey = async () => (await createWorkspace(store.workspaces, {})).apiKey;
  return {
    server,
    newKey,
    attacker: async () => prepare(server, await newKey(), file, site),
    async remove() {
      await store.close();
      await server.killAll();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function measure({ run }: BadThing): Promise<Report> {
  const site = await startTarpitSite({ hosts: 60, chains: 16, hops: 5, robotsMs: 18_000 });
  const tenant = fork(join(import.meta.dirname, 'quiet-process.ts'), { execArgv: ['--import=tsx'] });
  const [here] = await once(tenant, 'message');
  const resolve = { ...site.resolve, [QUIET_SITE]: String(here) };
  const ours = await install(resolve, site);
  const other = await install(resolve, site);
  try {
    tenant.send(await quietTenant(ours.server, await ours.newKey()));
    const [attacker, attackerElsewhere] = [await ours.attacker(), await other.attacker()];
    await seenIn(tenant, WARM_UP_MS);
    const calm = await seenIn(tenant, CALM_MS);
    const during = async (by: Attacker, ms: number): Promise<Seen> => {
      let over = false;
      const bad = run(by, () => over);
      await pause(SETTLE_MS);
      const seen = await seenIn(tenant, ms);
      over = true;
      await bad;
      return seen;
    };
    const elsewhere = await during(attackerElsewhere, ELSEWHERE_MS);
    await other.server.killAll();
    const beside = await during(attacker, BAD_MS);
    return { calm, elsewhere, beside, died: !alive(ours.server) };
  } finally {
    tenant.kill();
    await ours.remove();
    await other.remove();
    await site.close();
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

async function quietTenant({ baseUrl }: ServerProcess, key: string): Promise<Begin> {
  const { id } = await client(baseUrl, key).call<{ id: string }>('POST', '/agents', { name: 'quiet' });
  return { origin: baseUrl, key, agentId: id, site: QUIET_SITE };
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
function rows({ calm, elsewhere, beside, died }: Report): Row[] {
  return Object.keys(calm.times).map((what) => {
    const of = ({ times }: Seen) => spread(times[what] ?? []);
    const [before, apart, during] = [of(calm), of(elsewhere), of(beside)];
    const ratio = Math.round((during.p99 / Math.max(1, before.p99)) * 10) / 10;
    const errors = beside.errors.filter((error) => error.startsWith(`${what}:`)).length;
    const sound = errors === 0 && !died && during.n > 0;
    const verdict: Verdict =
      sound && isGood(during.p99, before.p99)
        ? 'met'
        : sound && !isGood(apart.p99, before.p99)
          ? 'machine'
          : 'missed';
    return { what, calm: before, elsewhere: apart, beside: during, ratio, errors, verdict };
  });
}

const RESULTS = join(import.meta.dirname, '../results/neighbours.md');
const all = badThings.map(({ name }) => name);
const wanted = process.argv.slice(2);
const chosen = badThings.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
const missed: string[] = [];
for (const badThing of chosen) {
  const { name } = badThing;
  const report = await measure(badThing);
  const table = rows(report);
  const text = section(name, { died: report.died, calmMs: CALM_MS, badMs: BAD_MS }, table);
  console.log(`\n${text}`);
  writePage(RESULTS, all, new Map([[name, text]]));
  for (const error of new Set(report.beside.errors)) console.log(`  ${error}`);
  const notMet = table.filter(({ verdict }) => verdict !== 'met');
  missed.push(...notMet.map(({ what, verdict }) => `${name} / ${what} (${verdict})`));
}
console.log(
  missed.length === 0 ? '\nall goals met' : `\n${missed.length} not met:\n  ${missed.join('\n  ')}`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
