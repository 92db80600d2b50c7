import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { openStore } from '../../adapters/sequelize/index.js';
import type { Store } from '../../core/ports/store/store.port.js';
import { migrate } from '../../test/real/cadre-process.js';
import { startAzurite } from '../../test/support/azurite.js';
import { type FakePlatform, startFakePlatform } from '../../test/support/fake-platform.js';
import { openFaultyProxy } from '../../test/support/faulty-proxy.js';
import { createWorkspace, type TestWorkspace } from '../../test/support/workspace.js';
import { openSite, type SiegeSite } from './site.js';
import { createSlot, type EngineName, type Slot } from './slot.js';
import type { Tally } from './tally.js';

/** The host of submitted pages. */
export const siteOrigin = 'https://docs.siege.example';
/** A second host, so that its pages do not wait for the first host. */
export const otherOrigin = 'https://other.siege.example';

/** Hosts of one page each, so that pages do not queue for a host. */
export const soloOrigins = [1, 2, 3, 4].map((n) => `https://solo-${n}.siege.example`);

/** Two APIs and two workers, each with its own proxies to the engines. */
export interface Installation {
  apis: [Slot, Slot];
  workers: [Slot, Slot];
  slots: Slot[];
  site: SiegeSite;
  /** The social platform. */
  platform: FakePlatform;
  workspace: TestWorkspace;
  /** Prefix of the queue names. */
  prefix: string;
  amqpUrl: string;
  storageConnectionString: string;
  /** A direct connection to the database. */
  store: Store;
  rows(sql: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
  userAgent(worker: Slot): string;
  close(): Promise<void>;
}

export async function startInstallation(options: {
  databaseUrl: string;
  amqpUrl: string;
  prefix: string;
  folder: string;
  tally: Tally;
  env?: Record<string, string>;
}): Promise<Installation> {
  const { databaseUrl, amqpUrl, prefix, folder, tally } = options;
  const logFolder = join(folder, 'logs');
  await mkdir(logFolder, { recursive: true });
  const [azurite, site, platform] = await Promise.all([
    startAzurite(120_000),
    openSite(),
    startFakePlatform(),
  ]);
  await migrate({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  const store = openStore({ url: databaseUrl, poolSize: 4, statementTimeoutMs: 60_000 });
  const userAgentOf = (name: string) => `Siege-${name.replace(' ', '-')}/1.0`;

  const proxy = (url: string, port: number) => {
    const at = new URL(url);
    return openFaultyProxy({ host: at.hostname, port: Number(at.port || port) });
  };
  const makeSlot = async (role: 'api' | 'worker', n: number): Promise<Slot> => {
    const proxies: Partial<Slot['proxies']> = {
      queue: await proxy(amqpUrl, 5672),
      storage: await proxy(azurite.accountUrl, 80),
      ...(role === 'api' ? { database: await proxy(databaseUrl, 3306) } : {}),
    };
    const through = (engine: EngineName, url: string) => proxies[engine]?.through(url) ?? url;
    const name = `${role} ${n}`;
    const env: Record<string, string> = {
      ROLES: role,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      DATA_DIR: join(folder, 'never-made'),
      AMQP_URL: through('queue', amqpUrl),
      AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString.replace(
        azurite.accountUrl,
        through('storage', azurite.accountUrl),
      ),
      BOOTSTRAP_API_KEY: 'bootstrap-key-of-a-siege',
      CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
      CADRE_CRAWL_RESOLVE: JSON.stringify(
        Object.fromEntries([siteOrigin, otherOrigin, ...soloOrigins].map((from) => [from, site.origin])),
      ),
      CADRE_CRAWL_USER_AGENT: userAgentOf(name),
      CADRE_WORKERS_THREADS: '1',
      CADRE_PLUGINS_CHANNEL_USE: 'graph',
      CADRE_PLUGINS_CHANNEL_OPTIONS: JSON.stringify(platform.options),
      CADRE_CHANNELS_GATHER_MS: '300',
      ...(role === 'api' ? { DATABASE_URL: through('database', databaseUrl) } : {}),
      ...options.env,
    };
    return createSlot({ name, role, env, proxies, logFolder, tally });
  };
  const [api1, api2, worker1, worker2] = await Promise.all([
    makeSlot('api', 1),
    makeSlot('api', 2),
    makeSlot('worker', 1),
    makeSlot('worker', 2),
  ]);
  const slots = [api1, api2, worker1, worker2];
  await Promise.all(slots.map((slot) => slot.start()));
  return {
    apis: [api1, api2],
    workers: [worker1, worker2],
    slots,
    site,
    platform,
    workspace: await createWorkspace(store.workspaces, {}),
    prefix,
    amqpUrl,
    storageConnectionString: azurite.connectionString,
    store,
    userAgent: ({ name }) => userAgentOf(name),
    async rows(sql, params = []) {
      const connection = await createConnection({ uri: databaseUrl, supportBigNumbers: true });
      try {
        const [rows] = await connection.query(sql, params);
        return rows as Record<string, unknown>[];
      } finally {
        await connection.end();
      }
    },
    async close() {
      await Promise.all(slots.map((slot) => slot.kill()));
      await store.close();
      await Promise.all(slots.flatMap(({ proxies }) => Object.values(proxies).map((proxy) => proxy.close())));
      await site.close();
      await platform.close();
      await azurite.stop();
    },
  };
}
