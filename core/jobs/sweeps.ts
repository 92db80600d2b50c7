import { setTimeout as sleep } from 'node:timers/promises';
import type { Agents } from '../actors/agent/agents.js';
import type { MessageKind, MessageOf } from '../actors/agent/messages.js';
import { taskMessage } from '../actors/agent/window.js';
import { createShares, distribute, type Shares } from '../fairness/shares.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Queue } from '../ports/queue.port.js';
import type { Storage } from '../ports/storage.port.js';
import type { Store } from '../ports/store/store.port.js';
import { AgentGone } from '../ports/store/store-errors.js';
import type { AgentInLine, Discard } from '../ports/store/sweeps.js';
import { createLeaseTrust } from '../tasks/lease-trust.js';
import type { Dispatcher } from './dispatcher.js';
import { strayObjects } from './stray-objects.js';
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
  /** Tasks of one agent, and of all, that may be on their way at once. */
  windows: { ofAgent: number; ofAll: number };
  retrainIntervalSeconds: number;
  /** Age at which ended jobs are deleted; null: never. */
  keepJobsDays: number | null;
  uploadsAbandonedAfterSeconds: number;
  /** Names this installation, to whoever else writes to its storage. */
  installation: string;
}

const BATCH = 100;
/** Followed tasks that are looked at in one round. */
const FOLLOWED = 1000;
/** A stop waits for the end of a round. */
const PIECES_A_ROUND = 10;
/** Where a piece of a big work takes longer, it has waited itself. */
const LONGEST_REST_MS = 20;
/** A message that the queue has not confirmed by then is published again. */
const CONFIRM_MS = 5000;
/**
 * A message that seems to be missing in the queue is not looked for earlier: it may be on its way to a
 * worker, or news of its start on the way back.
 */
const LOST_MS = 60_000;
/**
 * However much the queue seems to hold, a message may be missing. A duplicate now and then is cheaper than a
 * job that never ends.
 */
const OVERDUE_MS = 900_000;
const OLD_JOBS_MS = 60_000;
const DAY_S = 86_400;
/** A second run of an attempt may write its object again, so only what was discarded a while ago is deleted. */
const SETTLED_S = 2;

/** All that the job runtime looks for in the database. */
export function createSweeps(options: SweepsOptions): Sweep[] {
  const { store, agents, dispatcher, queue, storage, clock, log, windows } = options;
  let discardedUpTo: Discard | null = null;
  const trust = createLeaseTrust(options.leaseMs, clock.now());
  let missingBefore = 0;

  /** False when the agent has not answered; one that fails does not keep the others from theirs. */
  async function ask<K extends MessageKind>(agentId: string, message: MessageOf<K>): Promise<boolean> {
    try {
      await agents.ask(agentId, message);
      return true;
    } catch (error) {
      if (!(error instanceof AgentGone))
        log.warn({ err: error, agentId, message: message.kind }, 'sweep could not reach an agent');
      return false;
    }
  }

  /** Sends each agent the same message. Resolves to how many have answered. */
  async function askAll<K extends MessageKind>(agentIds: string[], message: MessageOf<K>): Promise<number> {
    const answers = await Promise.all(agentIds.map((agentId) => ask(agentId, message)));
    return answers.filter(Boolean).length;
  }

  /** However many agents of one workspace wait, the first ones of every other are found, too. */
  async function agentsInLine(shares: Shares): Promise<AgentInLine[]> {
    if (!shares.hasRoom()) return [];
    const found: AgentInLine[] = [];
    const seen = new Set(shares.full());
    for (;;) {
      const batch = await store.tasks.agentsInLine(clock.now(), [...seen], BATCH);
      found.push(...batch);
      if (batch.length < BATCH) return found;
      for (const { workspaceId } of batch) seen.add(workspaceId);
    }
  }

  /** Runs one piece of a big work, and rests as long, so that others get on. */
  async function piece<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await work();
    await sleep(Math.min(performance.now() - began, LONGEST_REST_MS));
    return result;
  }

  return [
    {
      // Retries whose time has come, and first attempts for which there was no room.
      name: 'due',
      everyMs: 500,
      async run() {
        const shares = createShares(windows.ofAll, windows.ofAll, await store.tasks.underWay());
        const places = distribute(await agentsInLine(shares), shares, windows.ofAgent);
        await Promise.all([...places].map(([agentId, n]) => ask(agentId, { kind: 'admit', places: n })));
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
      // Confirmed, yet gone: somebody purged the queue, or the broker lost its disk. A duplicate would be harmless.
      name: 'lost-messages',
      everyMs: 15_000,
      async run() {
        const published = await store.tasks.published();
        const { waiting } = await queue.depth();
        // At one look alone, tasks that a worker takes at this moment are missing, too.
        const missingNow = waiting === null ? 0 : Math.max(0, published - waiting);
        const missing = Math.min(missingNow, missingBefore, BATCH);
        missingBefore = missingNow;
        await dispatcher.again(async () => {
          // A queue is emptied from its front: the oldest are the lost ones.
          const lost = missing === 0 ? [] : await store.tasks.untaken(clock.now() - LOST_MS, missing);
          const overdue = await store.tasks.untaken(clock.now() - OVERDUE_MS, BATCH);
          // Both begin with the oldest: the longer one holds the other.
          const found = overdue.length > lost.length ? overdue : lost;
          if (found.length > 0)
            log.warn({ tasks: found.length }, 'tasks are no longer in the queue; they are published again');
          return found.map(taskMessage);
        });
        return false;
      },
    },
    {
      // While two versions run side by side, the older one ends a task without those that follow it.
      name: 'followers',
      everyMs: 60_000,
      async run() {
        await askAll(await store.tasks.freeFollowers(FOLLOWED), { kind: 'admit', places: 1 });
        return false;
      },
    },
    {
      name: 'leases',
      everyMs: 1000,
      async run() {
        const now = clock.now();
        if (!trust.at(now)) {
          await store.tasks.agentsWithStalledTasks(0, 1);
          trust.looked(now);
          return false;
        }
        await askAll(await store.tasks.agentsWithStalledTasks(clock.now(), BATCH), { kind: 'expireLeases' });
        trust.looked(clock.now());
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
      // Jobs whose tasks were too many for the turn that made them.
      name: 'openings',
      everyMs: 500,
      async run() {
        let opened = 0;
        for (const { agentId, jobId } of await store.tasks.jobsToOpen(PIECES_A_ROUND))
          opened += await piece(() => askAll([agentId], { kind: 'openTasks', jobId }));
        return opened > 0;
      },
    },
    {
      name: 'old-jobs',
      everyMs: OLD_JOBS_MS,
      async run() {
        if (options.keepJobsDays === null) return false;
        const before = seconds(clock.now()) - options.keepJobsDays * DAY_S;
        const agentIds = await store.tasks.agentsWithOldJobs(before, PIECES_A_ROUND);
        let answered = 0;
        for (const agentId of agentIds)
          answered += await piece(() => askAll([agentId], { kind: 'forgetJobs', before }));
        return answered > 0;
      },
    },
    {
      // The remains of deleted agents.
      name: 'remains',
      everyMs: 500,
      async run() {
        const left = await store.remains.list(PIECES_A_ROUND);
        for (const agent of left) {
          await piece(() => store.remains.clear(agent, seconds(clock.now())));
        }
        return left.length > 0;
      },
    },
    strayObjects(options),
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
