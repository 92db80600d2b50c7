import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, createConnection } from 'mysql2/promise';
import { openStore } from '../../adapters/sequelize/index.js';
import { type CadreProcess, migrate, startProcess } from '../../test/real/cadre-process.js';
import { type Client, client } from '../../test/support/flows.js';
import { deleteQueues } from '../../test/support/rabbitmq.js';
import { createWorkspace } from '../../test/support/workspace.js';
import { mixedPage } from './mixed-pages.js';

/** URLs of the engines; environment variables override them. */
export const engines = {
  DATABASE_SERVER_URL: process.env.BENCH_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306',
  AMQP_URL: process.env.BENCH_AMQP_URL ?? 'amqp://guest:guest@127.0.0.1:5672',
  REDIS_URL: process.env.BENCH_REDIS_URL ?? 'redis://127.0.0.1:6379',
};

/** Hosts of the site, so that pages do not queue for one host. */
const hosts = Array.from({ length: 8 }, (_, n) => `https://site-${n}.bench.example`);

/** Cadre with both roles on its own database, and a site of one-line pages. */
export interface Installation {
  cadre: CadreProcess;
  /** Its start options, for starting another one. */
  env: Record<string, string>;
  databaseUrl: string;
  database: Connection;
  /** Prefix of all names in the engines. */
  name: string;
  api: Client;
  key: string;
  workspaceId: string;
  /** The site's local address. */
  siteOrigin: string;
  /** Returns the address of a one-line page. */
  pageUrl(n: number): string;
  /** Returns the address of a page of varying length. */
  mixedUrl(n: number): string;
  /** Called with the number of each page when it is fetched. */
  onPage(listener: ((n: number) => void) | null): void;
  close(): Promise<void>;
}

const MANY = 1_000_000;

export async function startInstallation(): Promise<Installation> {
  const name = `cadre-bench-${randomBytes(4).toString('hex')}`;
  const schema = name.replaceAll('-', '_');
  const database = await createConnection(engines.DATABASE_SERVER_URL);
  await database.query(`CREATE DATABASE ${schema}`);
  await database.query(`USE ${schema}`);
  const databaseUrl = `${engines.DATABASE_SERVER_URL}/${schema}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'cadre-bench-'));
  let listener: ((n: number) => void) | null = null;
  const site = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    const [, kind, number] = /^\/(page|mixed)-(\d+)$/.exec(request.url ?? '') ?? [];
    const n = Number(number);
    if (kind === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
      return;
    }
    listener?.(n);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      kind === 'mixed'
        ? mixedPage(n)
        : `<!doctype html><title>Page ${n}</title><p>What page ${n} of this site says in one line.</p>`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const env = {
    ROLES: 'api,worker',
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    AMQP_URL: engines.AMQP_URL,
    CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix: name }),
    CADRE_CRAWL_RESOLVE: JSON.stringify(Object.fromEntries(hosts.map((host) => [host, siteOrigin]))),
  };
  await migrate(env);
  const store = openStore({ url: databaseUrl, poolSize: 2, statementTimeoutMs: 60_000 });
  const { id: workspaceId, apiKey } = await createWorkspace(store.workspaces, {
    set: { 'limits.agents': MANY, 'limits.storageBytes': MANY * MANY },
  });
  await store.close();
  const cadre = await startProcess('api', env);
  return {
    cadre,
    env,
    databaseUrl,
    database,
    name,
    api: client(cadre.baseUrl, apiKey),
    key: apiKey,
    workspaceId,
    siteOrigin,
    pageUrl: (n) => `${hosts[n % hosts.length]}/page-${n}`,
    mixedUrl: (n) => `${hosts[n % hosts.length]}/mixed-${n}`,
    onPage(next) {
      listener = next;
    },
    async close() {
      await cadre.stop();
      await database.query(`DROP DATABASE ${schema}`);
      await database.end();
      site.closeAllConnections();
      site.close();
      await deleteQueues(name, engines.AMQP_URL);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
