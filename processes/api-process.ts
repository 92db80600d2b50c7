import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { attachWorkerHost, needsWorkerHost } from '../adapters/local-queue/index.js';
import { openStore } from '../adapters/sequelize/index.js';
import { databaseUrlOf, isEmbedded } from '../config/database-url.js';
import { loadPlans } from '../config/load-plans.js';
import { createHttpServer } from '../core/http/server.js';
import { startInstallationClock } from '../core/installation-clock.js';
import type { Log } from '../core/ports/log.port.js';
import type { Store } from '../core/ports/store.port.js';
import { startService } from '../core/service.js';
import { ensureFirstWorkspace } from '../core/workspaces/first-workspace.js';
import { pluginContext, type Running, type Surroundings } from './surroundings.js';
import { launchWorker, type SupervisedWorker, superviseWorker } from './worker-child.js';

/** A process that answers requests and runs the actors and jobs; with both roles, its worker is a child. */
export async function startApi(surroundings: Surroundings): Promise<Running> {
  const { settings, plugins, log } = surroundings;
  const store = await openDatabase(surroundings);
  const plans = loadPlans();
  const clock = await startInstallationClock(store, log);
  const secret = await store.secret();
  const context = pluginContext(surroundings, 'api', secret, clock);
  const storage = await plugins.storage.plugin.start({ ...context, options: plugins.storage.options });
  const queue = await plugins.queue.plugin.start({ ...context, options: plugins.queue.options });
  const service = await startService({
    settings,
    plans,
    store,
    storage: storage.port,
    queue: queue.port,
    clock,
    log,
    secret,
  });
  const key = await ensureFirstWorkspace(store.workspaces, clock, settings.bootstrapApiKey);
  if (key !== null) announce(key);
  const server = await listen(service.listener, settings.http);
  const worker = settings.roles.includes('worker') ? startOwnWorker(queue.port, surroundings) : null;
  // Whoever started us waits for this line, whatever the log level.
  console.log(`listening on ${originOf(settings.http.host, server.address() as AddressInfo)}`);

  return {
    async stop(deadlineMs) {
      const end = Date.now() + deadlineMs;
      const left = () => Math.max(0, end - Date.now());
      service.refuse();
      await closeServer(server, deadlineMs / 2, log);
      await service.quiesce();
      // The worker ends what it does, and we still hear how.
      await worker?.stop(left());
      await queue.stop({ deadlineMs: left() });
      await service.stop();
      await storage.stop({ deadlineMs: left() });
      clock.stop();
      await store.close();
    },
  };
}

async function openDatabase({ settings, log }: Surroundings): Promise<Store> {
  const url = databaseUrlOf(settings);
  const { poolSize, statementTimeoutMs } = settings.database;
  const store = openStore({ url, poolSize, statementTimeoutMs });
  if (isEmbedded(url)) {
    const applied = await store.migrate();
    if (applied.length > 0) log.info({ applied }, 'database migrated');
    return store;
  }
  const pending = await store.pending();
  if (pending.length > 0) {
    log.info({ pending }, 'database is migrated first');
    await store.migrate();
  }
  return store;
}

function startOwnWorker(
  queue: Parameters<typeof attachWorkerHost>[0],
  { settings, log, onStopAsked }: Surroundings,
): SupervisedWorker | null {
  if (!needsWorkerHost(queue)) return superviseWorker({ log, onStopAsked });
  attachWorkerHost(queue, launchWorker, {
    idleExitMs: settings.workers.idleExitSeconds * 1000,
    onStopAsked: () => onStopAsked('its worker host was asked to stop'),
  });
  return null;
}

/** For the person in front of a first start: the only time that this key is shown. */
function announce(key: string): void {
  console.log(
    [
      '',
      '  Cadre made a first workspace named "default" on the plan "business". Its API key, shown only now:',
      '',
      `    ${key}`,
      '',
    ].join('\n'),
  );
}

const originOf = (host: string, { port }: AddressInfo): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

async function listen(
  listener: RequestListener,
  { host, port, requestTimeoutMs }: { host: string; port: number; requestTimeoutMs: number },
): Promise<Server> {
  const server = createHttpServer(listener, requestTimeoutMs);
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

/** Answers what has been asked, then closes; whoever still talks at the deadline is cut off. */
async function closeServer(server: Server, deadlineMs: number, log: Log): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const cut = setTimeout(() => {
    log.warn({}, 'connections that did not end are closed');
    server.closeAllConnections();
  }, deadlineMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
