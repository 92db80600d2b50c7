import type { Clock } from '../ports/clock.port.js';
import type { Health } from '../ports/health.js';
import type { Log } from '../ports/log.port.js';
import { ForeignEvent } from '../ports/queue.port.js';
import type { TaskEvent } from '../tasks/wire.js';
import { shortId } from '../workspaces/installation-id.js';

export interface OwnEvents {
  /** The handler, for events of this installation only: of others it rejects with ForeignEvent, and nothing is done. */
  handler: (event: TaskEvent) => Promise<void>;
  /** Not well while events of others keep coming. */
  health(): Promise<Health>;
}

/** So long after the last one they are news. */
const NEWS_MS = 60_000;

/**
 * Two installations behind one queue take each other's events. Those of the other are told from ours by the id in them, and left for their owner.
 * Events without one come from workers of an earlier version.
 */
export function onlyOwnEvents(
  installation: string,
  handler: (event: TaskEvent) => Promise<void>,
  { clock, log, onForeign }: { clock: Clock; log: Log; onForeign: () => void },
): OwnEvents {
  let last: { atMs: number; from: string; worker: string } | null = null;

  const isNews = (): boolean => last !== null && clock.now() - last.atMs < NEWS_MS;
  const reason = (from: string, worker: string): string =>
    `events of another installation (${from}, this one is ${shortId(installation)}) come through this queue, last from ${worker}. Give each installation a virtual host or a prefix of its own`;

  function refuse({ installation: other = '', worker, kind, taskId }: TaskEvent): never {
    const from = shortId(other);
    onForeign();
    if (!isNews())
      log.error({ worker, kind, taskId }, `${reason(from, worker)}; they are left for their owner`);
    last = { atMs: clock.now(), from, worker };
    throw new ForeignEvent(`an event of the installation ${from}`);
  }

  return {
    handler: async (event) =>
      event.installation === undefined || event.installation === installation
        ? handler(event)
        : refuse(event),
    health: async () =>
      last !== null && isNews() ? { ok: false, reason: reason(last.from, last.worker) } : { ok: true },
  };
}
