import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from './flows.js';
import { bootstrapKey, type ServerProcess, startServer } from './server-process.js';
import { linkedPage } from './site-readings.js';
import { until } from './until.js';

/** Result of reading a site over kills. */
export interface SiteKillFigures {
  kills: number;
  seconds: number;
  status: string;
  /** Pages of the site that are sources and that are missing, all sources, and sources beyond one for each page. */
  pages: number;
  missing: number;
  sources: number;
  doubled: number;
  /** Number of paths by how often they were fetched, and fetches beyond one for each path. */
  fetches: Record<number, number>;
  extraFetches: number;
  /** Fetches beyond the first of a page between two kills. */
  repeated: number;
  /** Fetches of robots.txt. */
  robots: number;
  /** `site.read` of the job, and its other figures. */
  read: number;
  failed: number;
  waiting: number;
  skipped: Record<string, number>;
}

interface Report {
  id: string;
  status: string;
  site: {
    read: number;
    failed: number;
    waiting: number;
    skipped: { reason: string; count: number }[];
  };
}

const ORIGIN = 'https://docs.site-kills.example';
const SECTION = 50;
const TIMEOUT_MS = 3_600_000;

/** Returns a name without digits, which no two numbers share. */
const nameOf = (n: number): string =>
  [...n.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');

/** A site of sections with pages, a calendar without end, twins, and links with parameters in another order. */
async function largeSite(pages: number) {
  const visits = new Map<string, number>();
  let sinceKill = new Set<string>();
  let repeated = 0;
  const sections = Math.ceil(pages / SECTION) - 1;
  const own = new Set(['/']);
  for (let s = 0; s < sections; s += 1) {
    own.add(`/s-${nameOf(s)}`);
    for (let p = 1; p < SECTION; p += 1) own.add(`/s-${nameOf(s)}/p-${nameOf(p)}`);
  }
  const body = (path: string): string | null => {
    const [pathname = ''] = path.split('?');
    const day = /^\/day\/(\d+)$/.exec(pathname)?.[1];
    if (day !== undefined)
      return linkedPage(
        `Day ${day}`,
        Array.from({ length: 10 }, (_, n) => `/day/${Number(day) + n + 1}`),
      );
    if (/^\/twin-[ab]$/.test(pathname)) return linkedPage('The same twin');
    if (!own.has(pathname)) return null;
    if (pathname === '/') {
      const all = Array.from({ length: sections }, (_, s) => `/s-${nameOf(s)}`);
      return linkedPage('Home', [...all, '/day/1', '/twin-a', '/twin-b', 'https://elsewhere.example/']);
    }
    const [, section = '', page] = pathname.split('/');
    if (page !== undefined) return linkedPage(`Page ${pathname}`, ['/', `/${section}`, '/day/2']);
    const links = Array.from({ length: SECTION - 1 }, (_, p) => `/${section}/p-${nameOf(p + 1)}`);
    return linkedPage(`Section ${section}`, [...links, '/?a=1&b=2', '/?b=2&a=1']);
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    visits.set(path, (visits.get(path) ?? 0) + 1);
    if (sinceKill.has(path)) repeated += 1;
    sinceKill.add(path);
    const html = body(path);
    if (html === null) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    own,
    visits,
    repeated: () => repeated,
    killed() {
      sinceKill = new Set();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/**
 * Reads a generated site, and kills all processes with SIGKILL at random moments on the way. `env`: database and queue
 * of the service, by default SQLite and the local queue. `processes`: number of services, each with a worker; more than one
 * needs a database server and a broker.
 */
export async function siteKills(
  pages: number,
  kills: number,
  {
    env = {},
    processes = 1,
    onKill = () => {},
  }: { env?: Record<string, string>; processes?: number; onKill?: (kill: number, read: number) => void } = {},
): Promise<SiteKillFigures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cadre-site-'));
  const site = await largeSite(pages);
  const config = {
    crawl: { resolve: { [ORIGIN]: site.origin }, siteDelayMs: 0, perHostConcurrency: 8 },
    // The default lease: a shorter one ends while a busy machine is still starting the processes.
    jobs: { backoffBaseMs: 50, backoffMaxMs: 200 },
  };
  const options = { dataDir, config, env };
  let servers: ServerProcess[] = [];
  const start = async () => {
    // One after the other: the first creates the tables and the workspace.
    while (servers.length < processes) servers.push(await startServer(options));
  };
  const killAll = async () => {
    await Promise.all(servers.map((server) => server.killAll()));
    servers = [];
  };
  try {
    await start();
    const api = () => client(servers[0]?.baseUrl ?? '', bootstrapKey);
    const { id } = await api().call<{ id: string }>('POST', '/agents', { name: 'reader' });
    const began = performance.now();
    const body = { url: ORIGIN, depth: 3, limit: pages + 100 };
    const { jobId } = await api().call<{ jobId: string }>('POST', `/agents/${id}/sources/site`, body);
    const look = () => api().call<Report>('GET', `/agents/${id}/jobs/${jobId}`);
    for (let kill = 1; kill <= kills; kill += 1) {
      // One kill in each of as many parts of the pages, at a random place.
      const wanted = Math.floor((pages * (kill - Math.random())) / (kills + 1));
      const job = await until(
        `${wanted} pages`,
        async () => {
          const now = await look();
          return now.site.read >= wanted && now;
        },
        TIMEOUT_MS,
      );
      await killAll();
      site.killed();
      onKill(kill, job.site.read);
      await start();
    }
    await api().jobEnd(id, jobId, TIMEOUT_MS);
    const { status, site: report } = await look();
    const sources = await api().walk<{ sourceMetadata: { url: string } }>(`/agents/${id}/sources`, 100);
    const urls = new Set(sources.map(({ sourceMetadata }) => sourceMetadata.url));
    const counts = [...site.visits]
      .filter(([path]) => !/robots|sitemap/.test(path))
      .map(([, count]) => count);
    const fetches: Record<number, number> = {};
    for (const count of counts) fetches[count] = (fetches[count] ?? 0) + 1;
    const pagesRead = [...site.own].filter((path) => urls.has(ORIGIN + path)).length;
    return {
      kills,
      seconds: Math.round((performance.now() - began) / 1000),
      status,
      pages: pagesRead,
      missing: site.own.size - pagesRead,
      sources: sources.length,
      doubled: sources.length - urls.size,
      fetches,
      extraFetches: counts.reduce((sum, count) => sum + count - 1, 0),
      repeated: site.repeated(),
      robots: site.visits.get('/robots.txt') ?? 0,
      read: report.read,
      failed: report.failed,
      waiting: report.waiting,
      skipped: Object.fromEntries(report.skipped.map(({ reason, count }) => [reason, count])),
    };
  } finally {
    await killAll().catch(() => {});
    await site.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}
