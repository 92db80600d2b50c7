import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openStore } from '../../adapters/sequelize/index.js';
import type { Store } from '../../core/ports/store/store.port.js';
import { composeFile, givenTo, interpolated } from '../deploy/deployment.js';
import { startAzurite } from '../support/azurite.js';
import { type Client, client } from '../support/flows.js';
import { amqpUrl, deleteQueues, freshPrefix } from '../support/rabbitmq.js';
import { tempFolder } from '../support/temp-folder.js';
import { createWorkspace, type TestWorkspace, type WorkspaceOptions } from '../support/workspace.js';
import { type CadreProcess, migrate, startProcess } from './cadre-process.js';
import { type ChangingSite, changingSite } from './changing-site.js';
import { freshDatabase, type TestDatabase } from './services.js';

/** The site in submitted URLs. */
export const siteOrigin = 'https://docs.many-processes.example';

/**
 * Two APIs and two workers on MariaDB, RabbitMQ and Azurite with the environment of docker-compose.yml; one of each
 * has a wrong clock.
 */
export interface Installation {
  apis: [CadreProcess, CadreProcess];
  workers: [CadreProcess, CadreProcess];
  /** One more worker with the environment of the second. */
  startWorker(): Promise<CadreProcess>;
  site: ChangingSite;
  /** Prefix of its queue names. */
  prefix: string;
  store: Store;
  database: TestDatabase;
  workspace(options?: WorkspaceOptions): Promise<TestWorkspace>;
  /** A client for each API. */
  clients(apiKey: string): [Client, Client];
  /** User agent of the worker with this number, for the site. */
  userAgent(n: number): string;
  /** The charged storage minus the size of documents and uploads. */
  storageOff(workspaceId: string): Promise<number>;
}

/** No clock is trusted: the second process of each role is four minutes ahead, 16 times as long as a lease. */
const wrongClock = '--import=data:text/javascript,Date.now=(now=>()=>now()+240000)(Date.now)';

const userAgent = (n: number): string => `CadreBot${n}/1.0`;

export async function startInstallation(t: Test, more: Record<string, string> = {}): Promise<Installation> {
  const prefix = freshPrefix();
  const dataDir = join(tempFolder(t), 'never-made');
  t.teardown(() => deleteQueues(prefix));
  const [azurite, site, database] = await Promise.all([
    startAzurite(60_000),
    changingSite(t),
    freshDatabase(t),
  ]);
  t.teardown(() => azurite.stop());
  const store = openStore({ url: database.url, poolSize: 4, statementTimeoutMs: 15_000 });
  t.teardown(() => store.close());

  const here: Record<string, string> = {
    DATABASE_URL: database.url,
    AMQP_URL: amqpUrl,
    AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString,
    BOOTSTRAP_API_KEY: 'bootstrap-key-of-a-test',
    CADRE_SECRETS_KEY: 'a-key-of-thirty-two-letters-or-more',
    CADRE_HTTP_PUBLIC_URL: 'https://agents.example.com',
    CADRE_HTTP_TRUSTED_PROXIES: '10.0.0.0/8',
  };
  const given = (service: string): Record<string, string> => ({
    ...Object.fromEntries(
      Object.entries(givenTo(composeFile().services[service] ?? {})).map(([name, text]) => [
        name,
        here[name] ?? interpolated(text, {}),
      ]),
    ),
    DATA_DIR: dataDir,
  });
  const environment = (role: 'api' | 'worker', n: number): Record<string, string> => ({
    ...given(role),
    // All of them are on one machine here.
    PORT: '0',
    ...(role === 'worker' ? { CADRE_WORKERS_PORT: '0' } : { CADRE_OPERATIONS_PORT: '0' }),
    // There is no load balancer.
    ...(role === 'api' ? { CADRE_HTTP_DRAIN_DELAY_MS: '0' } : {}),
    HOST: '127.0.0.1',
    CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
    CADRE_CRAWL_RESOLVE: JSON.stringify({ [siteOrigin]: site.origin }),
    CADRE_CRAWL_USER_AGENT: userAgent(n),
    ...(n === 2 ? { NODE_OPTIONS: wrongClock } : {}),
    ...more,
  });
  await migrate(given('migrate'));
  const running: CadreProcess[] = [];
  const start = async (role: 'api' | 'worker', n: number): Promise<CadreProcess> => {
    const started = await startProcess(role, environment(role, n));
    running.push(started);
    return started;
  };
  t.teardown(async () => {
    if (!t.passing()) for (const { log } of running) t.comment(log().slice(-6000));
    await Promise.all(running.filter(({ ended }) => !ended()).map(({ kill }) => kill()));
    if (existsSync(dataDir)) throw new Error('a process wrote to its data folder: containers have none');
  });

  const [firstApi, secondApi, firstWorker, secondWorker] = await Promise.all([
    start('api', 1),
    start('api', 2),
    start('worker', 1),
    start('worker', 2),
  ]);
  const installation: Installation = {
    apis: [firstApi, secondApi],
    workers: [firstWorker, secondWorker],
    startWorker: () => start('worker', 2),
    site,
    prefix,
    store,
    database,
    userAgent,
    workspace: (options = {}) => createWorkspace(store.workspaces, options),
    clients(apiKey) {
      const [a, b] = installation.apis;
      return [client(a.baseUrl, apiKey), client(b.baseUrl, apiKey)];
    },
    async storageOff(workspaceId) {
      const [row] = await database.rows(
        `SELECT storage_bytes - (SELECT COALESCE(SUM(bytes), 0) FROM documents WHERE workspace_id = workspaces.id)
           - (SELECT COALESCE(SUM(bytes), 0) FROM uploads WHERE workspace_id = workspaces.id)
           - (SELECT COALESCE(SUM(bytes), 0) FROM pictures WHERE workspace_id = workspaces.id) AS off FROM workspaces WHERE id = ?`,
        [workspaceId],
      );
      return Number(row?.off);
    },
  };
  return installation;
}
