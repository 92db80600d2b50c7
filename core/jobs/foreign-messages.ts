import type { Log } from '../ports/log.port.js';
import type { Queue } from '../ports/queue.port.js';
import type { Storage } from '../ports/storage.port.js';
import { idsOfEvent, idsOfTask, targetOf } from '../tasks/task-ids.js';
import { type TaskEvent, type TaskMessage, WIRE_VERSION } from '../tasks/wire.js';
import { rememberedOwner } from '../workspaces/installation-claim.js';

/*
 * An installation claims its queue, so messages of another installation are older than the claim or come from
 * processes of an earlier version. A message without an id comes from an earlier version of this installation.
 */

/**
 * Wraps an event handler so that it receives only events of this installation. Other events are logged and dropped.
 */
export const ownEvents =
  (
    installation: string,
    { log, onForeign }: { log: Log; onForeign: () => void },
    handler: (event: TaskEvent) => Promise<void>,
  ) =>
  async (event: TaskEvent): Promise<void> => {
    if ((event.installation ?? installation) === installation) return handler(event);
    onForeign();
    const { kind, worker } = event;
    log.warn({ ...idsOfEvent(event), kind, worker }, 'dropped an event of another installation');
  };

/**
 * Wraps a task handler so that it receives only tasks of the installation that owns the storage. Other tasks become
 * dead letters.
 */
export function ownTasks(
  {
    storage,
    queue,
    workerName,
    log,
    onForeign,
  }: {
    storage: Pick<Storage, 'get'>;
    queue: Pick<Queue, 'emit'>;
    workerName: string;
    log: Log;
    onForeign: () => void;
  },
  handler: (task: TaskMessage) => Promise<void>,
) {
  const owner = rememberedOwner(storage);
  // Read the owner now, because the storage may be unavailable when the first task arrives.
  owner().catch(() => undefined);
  let own: string | undefined;
  return async (task: TaskMessage): Promise<void> => {
    const { taskId, jobId, agentId, attempt, installation } = task;
    // Another installation may have adopted the storage since.
    if (installation !== undefined && installation !== own) own = await owner();
    if (installation === undefined || installation === own) return handler(task);
    onForeign();
    log.warn(idsOfTask(task), 'a task of another installation became a dead letter');
    await queue.emit({
      ...{ v: WIRE_VERSION, taskId, jobId, agentId, attempt, installation, target: targetOf(task) },
      kind: 'dead',
      worker: workerName,
      reason: 'it reached a worker of another installation',
    });
  };
}
