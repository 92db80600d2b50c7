import type { Settings } from '../config/settings.schema.js';
import { type Log, silentLog } from '../core/ports/log.port.js';
import type { Role } from '../core/ports/plugin.port.js';
import type { LoadedPlugin } from '../plugins/load-plugins.js';
import type { Checked } from './checked.js';
import type { Ownership } from './doctor-storage.js';
import { reasonOf, whileStarted } from './started-plugin.js';

export type QueueDiagnosis = Checked & {
  /** Number of tasks not yet taken by a worker, and of connected workers; null if the queue does not report them. */
  waiting: number | null;
  workers: number | null;
  /** Warnings of the plugin at its start, such as queues with other arguments. */
  warnings: string[];
};

const unknown = { waiting: null, workers: null };

/**
 * Connects like an API process, which claims the queues and creates missing ones, but exchanges no messages. Claims the
 * queue only for the installation that owns the storage.
 */
export async function askQueue(
  role: Role,
  settings: Settings,
  loaded: LoadedPlugin<'queue'>,
  ownership: Ownership,
): Promise<QueueDiagnosis> {
  const warnings: string[] = [];
  const warn = (fields: object, message: string) => {
    const { queue } = fields as { queue?: unknown };
    warnings.push(typeof queue === 'string' ? `${queue}: ${message}` : message);
  };
  const log: Log = { ...silentLog, warn, error: warn, child: () => log };
  const lent =
    'installation' in ownership
      ? { claim: { installation: async () => ownership.installation, adopts: false } }
      : {};
  try {
    return await whileStarted('queue', loaded, { settings, log, lent }, async (port) => {
      if (!port.capabilities.remoteWorkers)
        return role === 'api'
          ? // A queue inside the API process needs no further check.
            { ok: true, ...unknown, warnings }
          : { ok: false, reason: 'a worker of its own cannot reach it', ...unknown, warnings };
      const health = await port.health();
      if (!health.ok) return { ...health, ...unknown, warnings };
      const { waiting, consumers } = await port.depth();
      const counts = { waiting, workers: consumers, warnings };
      if (!('unknown' in ownership)) return { ok: true, ...counts };
      const reason = `it answers, but whether it belongs to this installation cannot be checked: ${ownership.unknown}`;
      return { ok: null, reason, ...counts };
    });
  } catch (error) {
    return { ok: false, reason: reasonOf(error), ...unknown, warnings };
  }
}

export const adviceOnQueue = (
  queue: QueueDiagnosis,
  { needsWorkers }: { needsWorkers: boolean },
): string[] => [
  ...(queue.ok === false
    ? [`Check the queue: ${queue.reason}.`]
    : queue.warnings.map((warning) => `Look at the queue: ${warning}.`)),
  ...(needsWorkers && queue.workers === 0
    ? ['No worker is listening on the queue. Start one with ROLES=worker and the same AMQP_URL and prefix.']
    : []),
];
