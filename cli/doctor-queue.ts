import type { Settings } from '../config/settings.schema.js';
import type { Health } from '../core/ports/health.js';
import { type Log, silentLog } from '../core/ports/log.port.js';
import type { LoadedPlugin } from '../plugins/load-plugins.js';
import { reasonOf, whileStarted } from './started-plugin.js';

export type QueueDiagnosis = Health & {
  /** Tasks not yet taken by a worker, and connected workers; null if the queue does not report them. */
  waiting: number | null;
  workers: number | null;
  /** Warnings of the plugin at its start, such as queues with other arguments. */
  warnings: string[];
};

const unknown = { waiting: null, workers: null };

/** Connects like an API process, which claims the queues and creates missing ones, but sends and takes no messages. */
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
      // A queue inside the API process needs no further check.
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
