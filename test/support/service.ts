import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Test } from 'tap';
import { bm25 } from '../../adapters/bm25-index/index.js';
import { extractive } from '../../adapters/extractive/index.js';
import { filesystem } from '../../adapters/filesystem/index.js';
import { localQueue } from '../../adapters/local-queue/index.js';
import { mcpServer } from '../../adapters/mcp/index.js';
import { noChannel } from '../../adapters/no-channel/index.js';
import { noEmbedding } from '../../adapters/no-embedding/index.js';
import { openStore } from '../../adapters/sequelize/index.js';
import { startIndexThreads } from '../../adapters/threads/index-threads.js';
import { startJudgeThreads } from '../../adapters/threads/judge-threads.js';
import { startSchemaThreads } from '../../adapters/threads/schema-threads.js';
import { loadPlans } from '../../config/load-plans.js';
import { loadSettings } from '../../config/load-settings.js';
import { uploadGate } from '../../core/actors/agent/knowledge/upload-gate.js';
import type { Answerer } from '../../core/chat/answerer.js';
import type { PageFiles } from '../../core/http/pages/web-page.js';
import { createHttpServer } from '../../core/http/server.js';
import type { Channel } from '../../core/ports/channel.port.js';
import { type Clock, systemClock } from '../../core/ports/clock.port.js';
import type { Embedding } from '../../core/ports/embedding.port.js';
import type { IdentityProvider } from '../../core/ports/identity.port.js';
import type { Indexer } from '../../core/ports/indexer.port.js';
import type { Log } from '../../core/ports/log.port.js';
import type { Mail } from '../../core/ports/mail.port.js';
import type { Model } from '../../core/ports/model.port.js';
import type { PluginContext } from '../../core/ports/plugin.port.js';
import type { Storage } from '../../core/ports/storage.port.js';
import type { Store } from '../../core/ports/store/store.port.js';
import { type ServiceSettings, startService } from '../../core/service.js';
import { type ApiClient, apiClient } from './api-client.js';
import { createTables } from './migrated-database.js';
import { emptyMysql, mysqlMissing, testedDatabases } from './mysql.js';
import { pooledMysql } from './mysql-pool.js';
import t from './t.js';
import { tempFolder } from './temp-folder.js';
import { createWorkspace, type TestWorkspace, type WorkspaceOptions } from './workspace.js';

export type Engine = 'sqlite' | 'mysql';

export interface TestServiceOptions {
  engine?: Engine;
  settings?: { [G in keyof ServiceSettings]?: Partial<ServiceSettings[G]> };
  clock?: Clock;
  /** Changes the database URL of the service. */
  databaseUrl?: (url: string) => string;
  /** Maximum time for a statement in milliseconds; MySQL only. */
  statementTimeoutMs?: number;
  /** Starts a real worker on demand, with this configuration. */
  worker?: object;
  /** Wraps the real storage to make it fail. */
  storage?: (real: Storage) => Storage;
  /** Replaces the default extractive model. */
  model?: Model;
  embedding?: Embedding;
  mail?: Mail;
  identityProvider?: IdentityProvider;
  channel?: Channel;
  /** Wraps the real indexer to make it fail. */
  indexer?: (real: Indexer) => Indexer;
  /** The web page at `/console`, if any. */
  consoleFiles?: PageFiles;
  /** The web page at `/docs`, if any. */
  referenceFiles?: PageFiles;
  /** The pages of the widget, if any. */
  widgetFiles?: PageFiles;
  /** Timeout of silent clients. */
  silenceMs?: number;
  maxConnections?: number;
  /** Replaces the real answerer. */
  answerer?: Answerer;
  /** Limit of the upload folder; the API's own limit stays. */
  maxUploadBytes?: number;
  /** Receives log lines of the level info. */
  onInfo?: Log['info'];
  /** The upload folder accepts everything, like a storage that clients write to directly. */
  uploadsUnasked?: boolean;
}

export interface TestService {
  baseUrl: string;
  /** As in DATABASE_URL. */
  databaseUrl: string;
  store: Store;
  storage: Storage;
  /** Warnings and errors so far; shown if a test fails. */
  logged: { level: 'warn' | 'error'; fields: object; message: string }[];
  /** A client with this key; null sends none. */
  api(key: string | null): ApiClient;
  workspace(options?: WorkspaceOptions): Promise<TestWorkspace>;
  /** Creates a workspace and a client with its key. */
  client(options?: WorkspaceOptions): Promise<ApiClient>;
  /** Another API process over the same data, simulated in this process; `changes` override the options. */
  beside(changes?: TestServiceOptions): Promise<TestService>;
}

interface Shared {
  url: string;
  dataDir: string;
}

const MAX_UPLOAD = 52_428_800;
const MIB = 1_048_576;

/**
 * Starts the real service in this process: SQLite or MariaDB, upload folder, local queue, HTTP on a free port, and
 * validation of every response. Everything is removed when the test ends.
 */
export async function startTestService(t: Test, options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = tempFolder(t);
  const url = options.engine === 'mysql' ? await pooledMysql(t) : await newSqlite(dataDir);
  return startInstance(t, { url: options.databaseUrl?.(url) ?? url, dataDir }, options);
}

async function newSqlite(folder: string): Promise<string> {
  const url = `sqlite:${join(folder, 'test.sqlite')}`;
  await createTables(url);
  return url;
}

/** The URL of an empty database, dropped when the test ends. */
export const emptyDatabase = async (t: Test, engine: Engine, folder = tempFolder(t)): Promise<string> =>
  engine === 'mysql' ? (await emptyMysql(t)).url : `sqlite:${join(folder, 'test.sqlite')}`;

async function startInstance(t: Test, shared: Shared, options: TestServiceOptions): Promise<TestService> {
  const { statementTimeoutMs = 15_000 } = options;
  const store = openStore({ url: shared.url, poolSize: 10, statementTimeoutMs });
  await store.migrate();
  const settings = settingsWith(options.settings);
  const logged: TestService['logged'] = [];
  const log = recorder(logged, options.onInfo);
  const secret = await store.secret();
  const clock = options.clock ?? systemClock;
  const context = {
    log,
    secret,
    role: 'api',
    dataDir: shared.dataDir,
    maxUploadBytes: options.maxUploadBytes ?? MAX_UPLOAD,
    maxDeliveries: 3,
    processName: 'test',
    now: () => clock.now(),
    ...(options.uploadsUnasked ? {} : { uploads: uploadGate(store.arrivals, settings.uploads.openBytes) }),
  } as const;
  const files = await filesystem.start({ ...context, options: {} });
  const queue = await localQueue.start({ ...context, options: { capacity: 1000 } });
  if (options.worker)
    (await import('./attached-worker.js')).attachWorker(queue.port, shared.dataDir, options.worker);
  const storage = options.storage?.(files.port) ?? files.port;
  const indexThreads = startIndexThreads(log);
  const toolSchemas = startSchemaThreads(log);
  const judge = startJudgeThreads(log);
  const indexer = options.indexer?.(indexThreads) ?? indexThreads;
  const retrieval = await bm25.start({
    ...context,
    options: {},
    database: {
      url: shared.url,
      poolSize: 2,
      statementTimeoutMs,
      memoryBytes: 64 * MIB,
      vectorBytes: 64 * MIB,
    },
  });
  const service = await startService({
    settings,
    plans: loadPlans(),
    store,
    ports: {
      storage,
      queue: queue.port,
      model: options.model ?? (await embeddedModel(context)),
      embedding: options.embedding ?? (await noEmbedding.start({ ...context, options: {} })).port,
      retrieval: retrieval.port,
      channel: options.channel ?? (await noChannel.start({ ...context, options: {} })).port,
    },
    indexer,
    toolSchemas,
    judge,
    clock,
    log,
    mcp: mcpServer({ version: '0.0.0', log }),
    mail: options.mail ?? null,
    identityProvider: options.identityProvider ?? null,
    version: '0.0.0',
    secret,
    checkResponses: true,
    passwordCost: 1024,
    consoleFiles: options.consoleFiles ?? null,
    referenceFiles: options.referenceFiles ?? null,
    widgetFiles: options.widgetFiles ?? null,
    ...(options.answerer ? { answerer: options.answerer } : {}),
  });
  const server = createHttpServer(service.listener, {
    requestTimeoutMs: 30_000,
    maxConnections: options.maxConnections ?? 5000,
    trustedProxies: settings.http.trustedProxies,
    ...(options.silenceMs === undefined ? {} : { silenceMs: options.silenceMs }),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    if (!t.passing()) for (const line of logged) t.comment(line.level, line.message, line.fields);
    server.closeAllConnections();
    server.close();
    await service.stop();
    await indexThreads.close();
    await toolSchemas.close();
    await judge.close();
    await retrieval.stop({ deadlineMs: 1000 });
    await queue.stop({ deadlineMs: 5000 });
    await files.stop({ deadlineMs: 1000 });
    await store.close();
  });

  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const workspace = (wanted: WorkspaceOptions = {}) => createWorkspace(store.workspaces, wanted);
  return {
    baseUrl,
    databaseUrl: shared.url,
    store,
    storage,
    logged,
    workspace,
    api: (key) => apiClient(baseUrl, key),
    client: async (wanted) => apiClient(baseUrl, (await workspace(wanted)).apiKey),
    beside: (changes = {}) => startInstance(t, shared, { ...options, ...changes }),
  };
}

async function embeddedModel(context: Omit<PluginContext<object>, 'options'>): Promise<Model> {
  return (await extractive.start({ ...context, options: {} })).port;
}

function settingsWith(changes: TestServiceOptions['settings'] = {}): ServiceSettings {
  const {
    http,
    widget,
    secrets,
    operations,
    log,
    uploads,
    webhooks,
    retrain,
    crawl,
    audit,
    contacts,
    jobs,
    actors,
    auth,
    signIn,
    ...others
  } = loadSettings({ env: {}, cwd: process.cwd() });
  const { retrieval, chat, models, channels } = others;
  return {
    http: { ...http, ...changes.http },
    widget: { ...widget, ...changes.widget },
    secrets: { ...secrets, ...changes.secrets },
    operations: { ...operations, ...changes.operations },
    log: { ...log, ...changes.log },
    uploads: { ...uploads, ...changes.uploads },
    webhooks: { ...webhooks, ...changes.webhooks },
    retrain: { ...retrain, ...changes.retrain },
    crawl: { ...crawl, ...changes.crawl },
    audit: { ...audit, ...changes.audit },
    contacts: { ...contacts, ...changes.contacts },
    jobs: { ...jobs, ...changes.jobs },
    actors: { ...actors, ...changes.actors },
    auth: { ...auth, ...changes.auth },
    signIn: { ...signIn, ...changes.signIn },
    mail: { ...others.mail, ...changes.mail },
    retrieval: { ...retrieval, ...changes.retrieval },
    channels: { ...channels, ...changes.channels },
    chat: { ...chat, ...changes.chat },
    models: { ...models, ...changes.models },
  };
}

function recorder(logged: TestService['logged'], onInfo: Log['info'] = () => {}): Log {
  const log: Log = {
    debug() {},
    info: onInfo,
    warn: (fields, message) => void logged.push({ level: 'warn', fields, message }),
    error: (fields, message) => void logged.push({ level: 'error', fields, message }),
    child: () => log,
  };
  return log;
}

/**
 * Runs the same test on both engines, each with its own title; `atOnce` for tests that mostly wait. `TEST_DATABASES` names
 * the engines of a tier.
 */
export async function onEachEngine(
  name: string,
  test: (t: Test, engine: Engine) => Promise<void>,
  { atOnce = false }: { atOnce?: boolean } = {},
): Promise<void> {
  const engines = (['sqlite', 'mysql'] as const).filter((one) => testedDatabases.includes(one));
  if (atOnce && engines.length > 1) t.jobs = 2;
  // Before the first test: the root test ends if it has nothing to do between two of them.
  const missing = engines.includes('mysql') && (await mysqlMissing());
  const runs: Promise<unknown>[] = [];
  for (const engine of engines) {
    const skip = engine === 'mysql' && missing;
    runs.push(t.test(`${name} (${engine})`, { skip, buffered: atOnce }, (t) => test(t, engine)));
    if (!atOnce) await runs.at(-1);
  }
  await Promise.all(runs);
}
