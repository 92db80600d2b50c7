import type { Settings } from '../config/settings.schema.js';
import type { Health } from '../core/ports/health.js';
import { type Log, silentLog } from '../core/ports/log.port.js';
import type { LoadedPlugin } from '../plugins/load-plugins.js';
import { reasonOf, whileStarted } from './started-plugin.js';

export type QueueDiagnosis = Health & {
  /** Tasks that no worker has taken, and workers that listen; null where the queue cannot tell. */
  waiting: number | null;
  workers: number | null;
  /** What the plugin warned of while it started, such as queues with other arguments. */
  warnings: string[];
};

const unknown = { waiting: null, workers: null };

/** Connects as an API does, which claims and makes queues that are missing; takes no message and sends none. */
export async function askQueue(
  settings: Settings,
  loaded: LoadedPlugin<'queue'>,
  installation: string | null,
): Promise<QueueDiagnosis> {
  const warnings: string[] = [];
  const warn = (fields: object, message: string) => {
    const { queue } = fields as { queue?: unknown };
    warnings.push(typeof queue === 'string' ? `${queue}: ${message}` : message);
  };
  const log: Log = { ...silentLog, warn, error: warn, child: () => log };
  const lent =
    installation === null ? {} : { claim: { installation: async () => installation, adopts: false } };
  try {
    return await whileStarted('queue', loaded, { settings, log, lent }, async (port) => {
      // One that lives inside of the API is there when the API is.
      if (!port.capabilities.remoteWorkers) return { ok: true, ...unknown, warnings };
      const health = await port.health();
      if (!health.ok) return { ...health, ...unknown, warnings };
      const { waiting, consumers } = await port.depth();
      return { ok: true, waiting, workers: consumers, warnings };
    });
  } catch (error) {
    return { ok: false, reason: reasonOf(error), ...unknown, warnings };
  }
}

export const adviceOnQueue = (queue: QueueDiagnosis): string[] => [
  ...(queue.ok
    ? queue.warnings.map((warning) => `Look at the queue: ${warning}.`)
    : [`Check the queue: ${queue.reason}.`]),
  ...(queue.workers === 0
    ? ['No worker is listening on the queue. Start one with ROLES=worker and the same AMQP_URL and prefix.']
    : []),
];
