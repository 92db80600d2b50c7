import type { Agents } from '../actors/agent/agents.js';
import type { MessageKind, MessageOf } from '../actors/agent/messages.js';
import { taskMessage } from '../actors/agent/window.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Queue } from '../ports/queue.port.js';
import type { Storage } from '../ports/storage.port.js';
import { AgentGone, type Discard, type Store } from '../ports/store.port.js';
import type { Dispatcher } from './dispatcher.js';
import type { Sweep } from './sweeper.js';

interface SweepsOptions {
  store: Store;
  agents: Agents;
  dispatcher: Dispatcher;
  queue: Pick<Queue, 'depth'>;
  storage: Storage;
  clock: Clock;
  log: Log;
  leaseMs: number;
  retrainIntervalSeconds: number;
  uploadsAbandonedAfterSeconds: number;
}

const BATCH = 100;
/** A message that the queue has not confirmed by then is published again. */
const CONFIRM_MS = 5000;
/** A task that waits so long although the queue is empty is not in it. */
const LOST_MS = 60_000;
/** However full the queue is, a message may be missing in it: a duplicate now and then is cheaper than a job without an end. */
const OVERDUE_MS = 900_000;
/** An object is written again, at times, by a second run of its attempt: only what was discarded a while ago is deleted. */
const SETTLED_S = 2;
/** Sweeps that lie further apart than this have missed something. */
const GAP_MS = 5000;

/** All that the job runtime looks for in the database. */
export function createSweeps(options: SweepsOptions): Sweep[] {
  const { store, agents, dispatcher, queue, storage, clock, log } = options;
  let discardedUpTo: Discard | null = null;
  // Leases are only believed after we have listened for a whole lease without a gap.
  let listeningSince = clock.now();
  let lastLookAt = listeningSince;

  /** Sends each agent the same message; one that fails does not keep the others from theirs. */
  async function askAll<K extends MessageKind>(agentIds: string[], message: MessageOf<K>): Promise<void> {
    const answers = await Promise.allSettled(agentIds.map((agentId) => agents.ask(agentId, message)));
    for (const [n, answer] of answers.entries()) {
      if (answer.status === 'rejected' && !(answer.reason instanceof AgentGone)) {
        log.warn(
          { err: answer.reason, agentId: agentIds[n], message: message.kind },
          'sweep could not reach an agent',
        );
      }
    }
  }

  return [
    {
      // Retries whose time has come, and first attempts for which there was no room.
      name: 'due',
      everyMs: 500,
      async run() {
        const due = await store.tasks.agentsWithDueTasks(clock.now(), BATCH);
        await askAll(due, { kind: 'admit' });
        return false;
      },
    },
    {
      // The outbox: committed, but not known to be in the queue.
      name: 'outbox',
      everyMs: 1000,
      async run() {
        const confirmed = await dispatcher.again(async () =>
          (await store.tasks.unpublished(clock.now() - CONFIRM_MS, BATCH)).map(taskMessage),
        );
        // After an outage there may be thousands: on, for as long as the queue takes them.
        return confirmed === BATCH;
      },
    },
    {
      // Confirmed, and yet gone: somebody purged the queue, or the broker lost its disk. A duplicate would be harmless.
      name: 'lost-messages',
      everyMs: 15_000,
      async run() {
        const { waiting } = await queue.depth();
        await dispatcher.again(async () => {
          const lost = await store.tasks.untaken(clock.now() - (waiting === 0 ? LOST_MS : OVERDUE_MS), BATCH);
          if (lost.length > 0)
            log.warn({ tasks: lost.length }, 'tasks are no longer in the queue; they are published again');
          return lost.map(taskMessage);
        });
        return false;
      },
    },
    {
      name: 'leases',
      everyMs: 1000,
      async run() {
        // After a pause of ours (or of the database), signs of life and results may still wait in the queue.
        const now = clock.now();
        // A clock that was set back is a gap, too.
        if (Math.abs(now - lastLookAt) > GAP_MS) listeningSince = now;
        if (now - listeningSince < options.leaseMs) {
          await store.tasks.agentsWithStalledTasks(0, 1);
          lastLookAt = now;
          return false;
        }
        await askAll(await store.tasks.agentsWithStalledTasks(clock.now(), BATCH), { kind: 'expireLeases' });
        lastLookAt = clock.now();
        return false;
      },
    },
    {
      name: 'auto-retrain',
      everyMs: Math.min(30_000, options.retrainIntervalSeconds * 250),
      async run() {
        const intervalSeconds = options.retrainIntervalSeconds;
        const over = await store.tasks.agentsToRetrain(seconds(clock.now()) - intervalSeconds, BATCH);
        await askAll(over, { kind: 'autoRetrain', intervalSeconds });
        return false;
      },
    },
    {
      name: 'abandoned-uploads',
      everyMs: Math.min(60_000, options.uploadsAbandonedAfterSeconds * 250),
      run: async () =>
        (await store.uploads.abandon(seconds(clock.now()) - options.uploadsAbandonedAfterSeconds, BATCH)) ===
        BATCH,
    },
    {
      // Objects whose row is gone. Deleted here, after the commit, so that a rollback loses no object.
      name: 'discards',
      everyMs: 1000,
      async run() {
        const found = await store.uploads.discards(seconds(clock.now()) - SETTLED_S, discardedUpTo, BATCH);
        const gone = await Promise.allSettled(found.map(({ path }) => storage.delete(path)));
        const deleted = found.filter((_, n) => gone[n]?.status === 'fulfilled');
        if (deleted.length > 0) await store.uploads.discarded(deleted);
        if (deleted.length < found.length)
          log.warn({ left: found.length - deleted.length }, 'objects could not be deleted; tried again');
        // Round and round: objects that resist keep no others from going.
        discardedUpTo = found.length === BATCH ? (found.at(-1) ?? null) : null;
        return deleted.length === BATCH;
      },
    },
  ];
}
