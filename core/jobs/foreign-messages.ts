import type { Clock } from '../ports/clock.port.js';
import type { Health } from '../ports/health.js';
import type { Log } from '../ports/log.port.js';
import { ForeignMessage } from '../ports/queue.port.js';
import type { Storage } from '../ports/storage.port.js';
import { taskTypes } from '../tasks/task-types.js';
import type { TaskEvent, TaskMessage } from '../tasks/wire.js';
import { shortId } from '../workspaces/installation-id.js';
import { knownMarks } from '../workspaces/installation-mark.js';

type Handler<M> = (message: M) => Promise<void>;

export interface OwnMessages<M> {
  /**
   * Wraps a handler so that it gets messages of this installation only. Others are rejected with
   * ForeignMessage, and nothing is done.
   */
  forOwn(handler: Handler<M>): Handler<M>;
  /** Not well while messages of others keep coming. */
  health(): Promise<Health>;
}

interface Surroundings {
  clock: Clock;
  log: Log;
  /** Called for each that is refused. */
  onForeign: () => void;
}

/** So long after the last one they are news. */
const NEWS_MS = 60_000;
const ADVICE = 'Give each installation a virtual host or a prefix of its own';

/** Refuses messages of others, and tells of it while it is news: one line for many of them. */
function refusals({ clock, log, onForeign }: Surroundings) {
  let last: { atMs: number; reason: string } | null = null;
  const news = () => (last !== null && clock.now() - last.atMs < NEWS_MS ? last : null);
  return {
    refuse(reason: string, about: object): never {
      onForeign();
      if (news() === null) log.error(about, `${reason}; they are left for their owner`);
      last = { atMs: clock.now(), reason };
      throw new ForeignMessage(reason);
    },
    async health(): Promise<Health> {
      const told = news();
      return told === null ? { ok: true } : { ok: false, reason: told.reason };
    },
  };
}

/**
 * Two installations on one queue receive each other's events. The id in an event tells whose it is; those of
 * others are left for their owner. Events without an id come from workers of an earlier version.
 */
export function onlyOwnEvents(installation: string, surroundings: Surroundings): OwnMessages<TaskEvent> {
  const { refuse, health } = refusals(surroundings);
  return {
    health,
    forOwn: (handler) => async (event) => {
      const { installation: other = installation, worker, kind, taskId } = event;
      if (other === installation) return handler(event);
      const both = `${shortId(other)}, this one is ${shortId(installation)}`;
      refuse(
        `events of another installation (${both}) come through this queue, last from ${worker}. ${ADVICE}`,
        { worker, kind, taskId },
      );
    },
  };
}

/**
 * A worker takes tasks of installations that use its storage: nobody else could read its results. It knows
 * them by the mark that each leaves there. Tasks without an id come from an API of an earlier version.
 */
export function onlyOwnTasks(
  storage: Pick<Storage, 'get'>,
  surroundings: Surroundings,
): OwnMessages<TaskMessage> {
  const { refuse, health } = refusals(surroundings);
  const marks = knownMarks(storage, surroundings);
  return {
    health,
    forOwn: (handler) => async (task) => {
      const { installation, type, taskId, agentId } = task;
      const { readsStorage } = taskTypes[type];
      if (installation === undefined || (await marks.has(installation, readsStorage))) return handler(task);
      refuse(
        `tasks of another installation (${shortId(installation)}), which has left no mark in this worker's storage, come through this queue. ${ADVICE}, or this worker the storage of its API`,
        { type, taskId, agentId },
      );
    },
  };
}
