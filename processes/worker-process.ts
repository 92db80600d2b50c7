import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { installedVersion } from '../config/installation.js';
import { systemClock } from '../core/ports/clock.port.js';
import type { Queue } from '../core/ports/queue.port.js';
import { rememberedOwner } from '../core/workspaces/installation-claim.js';
import { pluginContext } from '../plugins/plugin-context.js';
import { type StartedPlugins, startPlugins } from '../plugins/start-plugins.js';
import { startWorker, type Worker } from '../workers/worker.js';
import { endingOnFailure } from './start-failed.js';
import { startProblem } from './start-problem.js';
import type { Running, Surroundings } from './surroundings.js';

/** Parts of the process. Each is set when it has started. */
interface WorkerParts {
  plugins?: StartedPlugins<'worker'>;
  worker?: Worker;
  server?: Server | null;
}

/**
 * Starts a worker process, which uses the queue and the storage but no database. If the start fails or is aborted,
 * stops the started parts and rejects.
 */
export async function startWorkerProcess(surroundings: Surroundings<'worker'>): Promise<Running> {
  const parts: WorkerParts = {};
  const running: Running = {
    get leavesSignalsToQueue() {
      return parts.plugins?.ports.queue.capabilities.remoteWorkers === false;
    },
    async stop(deadlineMs) {
      await parts.worker?.stop();
      await parts.plugins?.stopAll(() => deadlineMs);
      parts.server?.close();
      parts.server?.closeAllConnections();
    },
  };
  await endingOnFailure(running, surroundings.settings.shutdown.deadlineMs, () =>
    startParts(parts, surroundings),
  );
  return running;
}

const POLL_MS = 500;

/** Logs when the queue is reachable, so that the worker is ready. */
async function logWhenReady(
  { settings, log, stopping }: Surroundings<'worker'>,
  queue: Queue,
): Promise<void> {
  for (let isLogged = false; !stopping.aborted; isLogged = true) {
    const health = await queue
      .health()
      .catch((error: Error) => ({ ok: false as const, reason: error.message }));
    if (health.ok) return log.info({ slots: settings.workers.slots }, 'worker takes tasks');
    if (!isLogged) log.warn({ reason: health.reason }, 'the worker waits for its queue to be reachable');
    await sleep(POLL_MS);
  }
}

async function startParts(parts: WorkerParts, surroundings: Surroundings<'worker'>): Promise<void> {
  const { settings, plugins, processName, log, tracing, onMemoryKept, stopping } = surroundings;
  const context = pluginContext(surroundings, new Uint8Array(), systemClock);
  const started = await startPlugins(plugins, 'worker', context, ({ storage }) =>
    // A worker belongs to the installation that has claimed its storage.
    storage ? { queue: { claim: { installation: rememberedOwner(storage), adopts: false } } } : {},
  );
  parts.plugins = started;
  stopping.throwIfAborted();
  parts.worker = await startWorker(
    {
      crawl: settings.crawl,
      webhooks: settings.webhooks,
      ocr: settings.ocr,
      jobs: settings.jobs,
      workers: { ...settings.workers, threads: settings.workers.threads ?? availableParallelism() },
    },
    { ...started.ports, workerName: processName, log, tracing, version: installedVersion(), onMemoryKept },
  );
  stopping.throwIfAborted();
  const { health, metrics } = parts.worker;
  const { port } = settings.workers;
  if (port !== null) {
    const { startOperationsServer } = await import('./operations-server.js');
    parts.server = await startOperationsServer(
      settings.http,
      { host: settings.http.host, port, station: 'workerAddress' },
      { health, essential: 'queue', accepting: () => !stopping.aborted, metrics },
    ).catch((error: unknown) => {
      // Continue without the port, because only operators use it.
      log.error({ err: error }, startProblem(error, settings));
      return null;
    });
  }
  const address = parts.server?.address();
  if (address) log.info({ port: (address as AddressInfo).port }, 'worker serves health checks and metrics');
  void logWhenReady(surroundings, started.ports.queue);
}
