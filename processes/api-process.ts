import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mcpServer } from '../adapters/mcp/index.js';
import { openStore } from '../adapters/sequelize/index.js';
import { startIndexThreads } from '../adapters/threads/index-threads.js';
import { startJudgeThreads } from '../adapters/threads/judge-threads.js';
import { startSchemaThreads } from '../adapters/threads/schema-threads.js';
import { databaseOf, databaseUrlOf, indexedDatabase, isEmbedded } from '../config/database-url.js';
import { installedVersion } from '../config/installation.js';
import { loadPlans } from '../config/load-plans.js';
import { mailOptions } from '../config/mail-options.js';
import { openidOptions } from '../config/openid-options.js';
import type { Settings } from '../config/settings.schema.js';
import { TLS_IF_OFFERED, whereItWorks } from '../config/where-it-works.js';
import { uploadGate } from '../core/actors/agent/knowledge/upload-gate.js';
import { unmappedModels } from '../core/chat/answer-model.js';
import { createHttpServer } from '../core/http/server.js';
import { type InstallationClock, startInstallationClock } from '../core/installation-clock.js';
import { newLink } from '../core/people/links.js';
import { type Clock, seconds } from '../core/ports/clock.port.js';
import type { Log } from '../core/ports/log.port.js';
import type { Queue } from '../core/ports/queue.port.js';
import type { Storage } from '../core/ports/storage.port.js';
import type { Store } from '../core/ports/store/store.port.js';
import { UNPROTECTED_SECRETS } from '../core/secrets/unprotected-secrets.js';
import { type Service, startService } from '../core/service.js';
import { ensureFirstWorkspace, isKeyUnused, unusedKey } from '../core/workspaces/first-workspace.js';
import { claimStorage } from '../core/workspaces/installation-claim.js';
import { installationId } from '../core/workspaces/installation-id.js';
import { type Presence, startPresence } from '../core/workspaces/presence.js';
import { pluginContext } from '../plugins/plugin-context.js';
import { type StartedPlugins, startPlugins } from '../plugins/start-plugins.js';
import { startOperationsServer } from './operations-server.js';
import { readPageFiles } from './page-files.js';
import { endingOnFailure, starting } from './start-failed.js';
import { printReady } from './start-lines.js';
import type { Running, Surroundings } from './surroundings.js';
import { launchWorker, type SupervisedWorker, superviseWorker } from './worker-child.js';

/** Parts of the process. Each is set when it has started. */
interface ApiParts {
  store?: Store;
  clock?: InstallationClock;
  plugins?: StartedPlugins<'api'>;
  indexer?: ReturnType<typeof startIndexThreads>;
  toolSchemas?: ReturnType<typeof startSchemaThreads>;
  judge?: ReturnType<typeof startJudgeThreads>;
  presence?: Presence;
  service?: Service;
  server?: Server;
  operationsServer?: Server;
  worker?: SupervisedWorker | null;
}

/**
 * Starts the API with its actors and jobs, and the worker as a child process if the process has both roles. If the
 * start fails or is aborted, stops the started parts and rejects.
 */
export async function startApi(surroundings: Surroundings<'api'>): Promise<Running> {
  const parts: ApiParts = {};
  const running: Running = {
    leavesSignalsToQueue: false,
    drain: () => parts.service?.drain(),
    async stop(deadlineMs) {
      const { store, clock, plugins, indexer, toolSchemas, judge, presence, service, server, worker } = parts;
      const end = Date.now() + deadlineMs;
      const left = () => Math.max(0, end - Date.now());
      service?.drain();
      // End the answers, so that their streams end and the connections can be closed.
      const answersEnded = service?.endAnswers(deadlineMs / 3);
      if (server) await closeServer(server, deadlineMs / 2, surroundings.log);
      await answersEnded;
      await service?.quiesce();
      // Stop the worker while this process still handles the events of its tasks.
      await worker?.stop(left());
      await plugins?.stop('queue', left());
      await service?.stop();
      await indexer?.close();
      await toolSchemas?.close();
      await judge?.close();
      await presence?.stop();
      await plugins?.stopAll(left);
      parts.operationsServer?.close();
      parts.operationsServer?.closeAllConnections();
      clock?.stop();
      await store?.close();
    },
  };
  await endingOnFailure(running, surroundings.settings.shutdown.deadlineMs, () =>
    startParts(parts, surroundings),
  );
  return running;
}

async function startParts(parts: ApiParts, surroundings: Surroundings<'api'>): Promise<void> {
  const { settings, log, stopping } = surroundings;
  const store = await starting('database', () => openStore(databaseOf(settings)));
  parts.store = store;
  await starting('database', () => migrate(store, surroundings));
  await starting('database', () => warnOfPlainConnection(store, surroundings));
  await starting('database', () => warnOfUnprotectedSecrets(store, surroundings));
  stopping.throwIfAborted();
  const plans = loadPlans();
  const clock = await startInstallationClock(store, log);
  parts.clock = clock;
  const secret = await store.secret();
  const installation = installationId(secret);
  let isClaimed = false;
  const plugins = await startPlugins(
    surroundings.plugins,
    'api',
    pluginContext(surroundings, secret, clock),
    async ({ storage }) => {
      // Claim the storage before the queue, because a process with the wrong database must not claim the queue.
      if (storage && !isClaimed) await starting('storage', () => claim(storage, installation, log));
      isClaimed = storage !== undefined;
      return {
        storage: { uploads: uploadGate(store.arrivals, settings.uploads.openBytes) },
        queue: { claim: { installation: async () => installation, adopts: false } },
        retrieval: { database: indexedDatabase(settings) },
      };
    },
  );
  parts.plugins = plugins;
  const { ports } = plugins;
  const { processName } = surroundings;
  parts.presence = await startPresence(ports.storage, { installation, processName, clock, log });
  stopping.throwIfAborted();
  const indexer = startIndexThreads(log);
  parts.indexer = indexer;
  const toolSchemas = startSchemaThreads(log);
  parts.toolSchemas = toolSchemas;
  const judge = startJudgeThreads(log);
  parts.judge = judge;
  const consoleFiles = settings.console.enabled ? readPageFiles('console', log) : null;
  const referenceFiles = settings.reference.enabled ? readPageFiles('docs', log) : null;
  const widgetFiles = settings.widget.enabled ? readPageFiles('widget', log) : null;
  // Their packages are loaded only where they are used.
  const smtp = mailOptions(settings);
  const openid = openidOptions(settings);
  const service = await startService({
    settings,
    plans,
    store,
    ports,
    indexer,
    toolSchemas,
    judge,
    mcp: mcpServer({ version: installedVersion(), log }),
    mail: smtp && (await import('../adapters/smtp/index.js')).openSmtp(smtp),
    identityProvider: openid && (await import('../adapters/openid/index.js')).openOpenid({ ...openid, log }),
    consoleFiles,
    referenceFiles,
    widgetFiles,
    clock,
    log,
    tracing: surroundings.tracing,
    version: installedVersion(),
    secret,
  });
  parts.service = service;
  stopping.throwIfAborted();
  // Print the key right after creating the first workspace, because it is shown only now.
  const key = await ensureFirstWorkspace(store.workspaces, clock, settings.bootstrapApiKey);
  if (key !== null) announce(key);
  const token = key !== null && consoleFiles !== null ? await firstSetupToken(store, clock) : null;
  if (await isKeyUnused(store.workspaces, settings.bootstrapApiKey)) log.warn({}, unusedKey);
  warnOfUnsharedDatabase(settings, ports.queue, log);
  const { port } = settings.operations;
  if (port !== null) {
    const address = { host: settings.http.host, port, station: 'operationsAddress' as const };
    parts.operationsServer = await startOperationsServer(settings.http, address, service.operational);
    const listening = parts.operationsServer.address() as AddressInfo;
    log.info({ port: listening.port }, 'API serves health checks and metrics');
  }
  const server = await starting('address', () => listen(service.listener, settings.http));
  parts.server = server;
  if (ports.storage.receive) warnOfUnreachableUrls(settings.http, log);
  const unmapped = unmappedModels(ports.model);
  if (unmapped.length > 0)
    log.warn(
      { models: unmapped },
      'no provider is configured for these models; answers that use them will fail',
    );
  stopping.throwIfAborted();
  parts.worker = settings.roles.includes('worker') ? startOwnWorker(ports.queue, surroundings) : null;
  // Print this line at any log level, because scripts and supervisors wait for it.
  const origin = originOf(settings.http.host, server.address() as AddressInfo);
  process.stdout.write(`listening on ${origin}\n`);
  // At the first start, the key and the link are all that a newcomer needs.
  if (token !== null) announceSetup(`${settings.http.publicUrl ?? origin}/console/setup#${token}`);
  else printReady(settings, origin, { console: consoleFiles !== null, reference: referenceFiles !== null });
}

/**
 * Claims the storage. Rejects if another installation has claimed it. If the storage is unavailable, a sweep claims
 * it later.
 */
async function claim(storage: Storage, installation: string, log: Log): Promise<void> {
  const health = await claimStorage(storage, installation).catch((error: unknown) => {
    log.warn({ err: error }, 'the storage cannot be claimed yet');
    return { ok: true as const };
  });
  if (!health.ok) throw new Error(health.reason);
}

/** Warns if a shared queue is used with an embedded database, which other API processes cannot use. */
function warnOfUnsharedDatabase(settings: Settings, { capabilities }: Queue, log: Log): void {
  if (!capabilities.remoteWorkers || !isEmbedded(databaseUrlOf(settings))) return;
  const { database, queue } = whereItWorks(settings);
  log.warn(
    { database, queue },
    'the queue is shared, but the database is a file of this process, which other API processes on this queue cannot use. Set DATABASE_URL, or unset AMQP_URL',
  );
}

/** Warns if upload URLs may be unreachable: with a wildcard address, the public host name is unknown. */
function warnOfUnreachableUrls({ host, publicUrl, allowedHosts }: Settings['http'], log: Log): void {
  if (!['0.0.0.0', '::'].includes(host) || publicUrl !== null || allowedHosts.length > 0) return;
  const advice = 'set http.publicUrl if clients connect through a proxy or a port mapping';
  log.warn({ host }, `upload URLs use the address the client connected to; ${advice}`);
}

/** Warns if there are secrets but no `secrets.key`: the key is then derived from a secret in the same database. */
async function warnOfUnprotectedSecrets(
  store: Store,
  { settings, log }: Pick<Surroundings<'api'>, 'settings' | 'log'>,
): Promise<void> {
  if (settings.secrets.key !== null || !(await store.agentSecrets.any())) return;
  log.warn({}, UNPROTECTED_SECRETS);
}

/**
 * Warns if the connection to the database is not encrypted with `ssl-mode=PREFERRED`, because the start line cannot
 * show that.
 */
async function warnOfPlainConnection(
  store: Store,
  { settings, log }: Pick<Surroundings<'api'>, 'settings' | 'log'>,
): Promise<void> {
  const { database } = whereItWorks(settings);
  if (!database.endsWith(TLS_IF_OFFERED) || (await store.encryption()) !== null) return;
  log.warn({ database }, 'the connection to the database is not encrypted: the server offers no TLS');
}

/** Applied first to a new database. */
const FIRST_MIGRATION = '001-baseline';

async function migrate(
  store: Store,
  { settings, log }: Pick<Surroundings<'api'>, 'settings' | 'log'>,
): Promise<void> {
  if (isEmbedded(databaseUrlOf(settings))) {
    const applied = await store.migrate();
    const isNew = applied[0] === FIRST_MIGRATION;
    if (applied.length > 0) log[isNew ? 'debug' : 'info']({ applied }, 'database migrated');
    return;
  }
  const pending = await store.pending();
  if (pending.length === 0) return;
  log.info({ pending }, 'migrating the database');
  await store.migrate();
}

function startOwnWorker(
  queue: Queue,
  { settings, log, onStopAsked }: Surroundings<'api'>,
): SupervisedWorker | null {
  if (!queue.startWorkers) return superviseWorker({ log, onStopAsked });
  queue.startWorkers({
    launch: launchWorker,
    idleExitMs: settings.workers.idleExitSeconds * 1000,
    onStopAsked: () => onStopAsked('its worker host was asked to stop'),
  });
  return null;
}

/** Prints the key of the first workspace, which is shown only once. */
const announce = (key: string): boolean =>
  process.stdout.write(`\n  API key, shown only now:\n\n    ${key}\n\n`);

/** How long the first link to set up an account is valid, in seconds. */
const SETUP_S = 3600;

/** Creates the link with which a person becomes the owner of the first workspace. */
async function firstSetupToken({ people, workspaces }: Store, clock: Clock): Promise<string | null> {
  const [workspace] = await workspaces.list();
  if (!workspace) return null;
  const { link, token } = newLink('setup', seconds(clock.now()) + SETUP_S, { workspaceId: workspace.id });
  await people.users.addLink(link);
  return token;
}

const announceSetup = (url: string): boolean =>
  process.stdout.write(`\n  Console, by a link that works once within an hour:\n\n    ${url}\n\n`);

const originOf = (host: string, { port }: AddressInfo): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

async function listen(
  listener: RequestListener,
  { host, port, ...limits }: Settings['http'],
): Promise<Server> {
  const server = createHttpServer(listener, limits);
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

/** Closes the server after running requests have ended. Closes busy connections after `deadlineMs`. */
async function closeServer(server: Server, deadlineMs: number, log: Log): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const cut = setTimeout(() => {
    log.warn({}, 'closed connections that did not end in time');
    server.closeAllConnections();
  }, deadlineMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
