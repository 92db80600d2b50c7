import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { installedVersion } from '../config/installation.js';
import { systemClock } from '../core/ports/clock.port.js';
import type { Queue } from '../core/ports/queue.port.js';
import type { Storage } from '../core/ports/storage.port.js';
import { storageOwner } from '../core/workspaces/installation-claim.js';
import { pluginContext } from '../plugins/plugin-context.js';
import { type StartedPlugins, startPlugins } from '../plugins/start-plugins.js';
import { startWorker, type Worker } from '../workers/worker.js';
import { startOperationsServer } from './operations-server.js';
import { endingOnFailure } from './start-failed.js';
import { startProblem } from './start-problem.js';
import type { Running, Surroundings } from './surroundings.js';

/** The parts of the process; each is there once it has started. */
interface WorkerParts {
  plugins?: StartedPlugins<'worker'>;
  worker?: Worker;
  server?: Server | null;
}

/**
 * A process that only works: queue and storage, no database, no HTTP. When it cannot start, or is asked to
 * stop meanwhile, it stops what has started and rejects.
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

const LOOK_MS = 500;

/** Waits for a queue that is away. Until it is there, nobody is told that tasks are taken. */
async function tellWhenReady(
  { settings, log, stopping }: Surroundings<'worker'>,
  queue: Queue,
): Promise<void> {
  for (let told = false; !stopping.aborted; told = true) {
    const health = await queue
      .health()
      .catch((error: Error) => ({ ok: false as const, reason: error.message }));
    if (health.ok) return log.info({ slots: settings.workers.slots }, 'worker takes tasks');
    if (!told)
      log.warn({ reason: health.reason }, 'the worker waits for its queue, and takes tasks when it is there');
    await sleep(LOOK_MS);
  }
}

/** A worker belongs to the installation that has claimed its storage. */
async function installationOf(storage: Storage | undefined): Promise<string> {
  const owner = storage ? await storageOwner(storage) : null;
  if (owner !== null) return owner;
  throw new Error(
    'no API has claimed the storage of this worker yet. Start the API, or give this worker the storage of its API',
  );
}

async function startParts(parts: WorkerParts, surroundings: Surroundings<'worker'>): Promise<void> {
  const { settings, plugins, processName, log, tracing, onMemoryKept, stopping } = surroundings;
  const context = pluginContext(surroundings, new Uint8Array(), systemClock);
  const started = await startPlugins(plugins, 'worker', context, ({ storage }) => ({
    queue: { claim: { installation: () => installationOf(storage), adopts: false } },
  }));
  parts.plugins = started;
  stopping.throwIfAborted();
  parts.worker = await startWorker(
    {
      crawl: settings.crawl,
      webhooks: settings.webhooks,
      jobs: settings.jobs,
      workers: { ...settings.workers, threads: settings.workers.threads ?? availableParallelism() },
    },
    { ...started.ports, workerName: processName, log, tracing, version: installedVersion(), onMemoryKept },
  );
  stopping.throwIfAborted();
  const { health, metrics } = parts.worker;
  const { port } = settings.workers;
  if (port !== null)
    parts.server = await startOperationsServer(
      settings.http,
      { host: settings.http.host, port, station: 'workerAddress' },
      { health, essential: 'queue', accepting: () => !stopping.aborted, metrics },
    ).catch((error: unknown) => {
      // Only operators need this port, so the worker continues without it.
      log.error({ err: error }, startProblem(error, settings));
      return null;
    });
  const address = parts.server?.address();
  if (address) log.info({ port: (address as AddressInfo).port }, 'worker answers health checks and metrics');
  void tellWhenReady(surroundings, started.ports.queue);
}
