import { availableParallelism } from 'node:os';
import { systemClock } from '../core/ports/clock.port.js';
import { startWorker } from '../workers/worker.js';
import { pluginContext, type Running, type Surroundings } from './surroundings.js';

/** A process that only works: queue and storage, no database, no HTTP. */
export async function startWorkerProcess(surroundings: Surroundings): Promise<Running> {
  const { settings, plugins, processName, log, onWorn } = surroundings;
  const context = pluginContext(surroundings, 'worker', new Uint8Array(), systemClock);
  const storage = await plugins.storage.plugin.start({ ...context, options: plugins.storage.options });
  const queue = await plugins.queue.plugin.start({ ...context, options: plugins.queue.options });
  const worker = await startWorker(
    {
      crawl: settings.crawl,
      jobs: settings.jobs,
      workers: { ...settings.workers, threads: settings.workers.threads ?? availableParallelism() },
    },
    { queue: queue.port, storage: storage.port, workerName: processName, log, onWorn },
  );
  log.info({ slots: settings.workers.slots }, 'worker takes tasks');
  return {
    async stop(deadlineMs) {
      await worker.stop();
      await queue.stop({ deadlineMs });
      await storage.stop({ deadlineMs });
    },
  };
}
