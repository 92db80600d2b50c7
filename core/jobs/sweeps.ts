import { setTimeout as sleep } from 'node:timers/promises';
import type { Agents } from '../actors/agent/agents.js';
import type { MessageKind, MessageOf } from '../actors/agent/messages.js';
import { taskMessages } from '../actors/agent/window.js';
import { createShares, distribute, type Shares } from '../fairness/shares.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Queue } from '../ports/queue.port.js';
import type { Storage } from '../ports/storage.port.js';
import type { TracedTask } from '../ports/store/rows.js';
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
  /** Whether the queue runs in this process, so that no confirmed message can be lost. */
  isQueueInside?: boolean;
  storage: Storage;
  clock: Clock;
  log: Log;
  leaseMs: number;
  /** Maximum number of queued and running tasks of one agent and of all. */
  windows: { ofAgent: number; ofAll: number };
  retrainIntervalSeconds: number;
  /** Retention of ended jobs in days; null keeps them for ever. */
  keepJobsDays: number | null;
  uploadsAbandonedAfterSeconds: number;
  /** Id of this installation. */
  installation: string;
}

const BATCH = 100;
/** Kept small, because a stop waits until the run ends. */
const STEPS_PER_RUN = 10;
/** Maximum pause after a step. A step that takes longer has mostly been waiting. */
const MAX_PAUSE_MS = 20;
/** Age at which a message without confirmation is published again. */
const CONFIRM_MS = 5000;
/**
 * Minimum age of a message that counts as lost. A younger message may be in the queue or in transit to a worker, or the
 * worker's event may be in transit back.
 */
const LOST_MS = 60_000;
/**
 * Age at which a message is published again even if no message is known to be missing. A duplicate is cheaper
 * than a job that never ends.
 */
const OVERDUE_MS = 900_000;
const OVERDUE_BATCH = 1000;
const OLD_JOBS_MS = 60_000;
const DAY_S = 86_400;
/** Delay before a discarded object is deleted, because a second run of an attempt may write it again. */
const SETTLED_S = 2;

export function createSweeps(options: SweepsOptions): Sweep[] {
  const { store, agents, dispatcher, queue, storage, clock, log, windows } = options;
  let queueEmptyAt: number | null = null;
  let discardedUpTo: Discard | null = null;
  const trust = createLeaseTrust(options.leaseMs, clock.now());
  let missingBefore = 0;
  let nextOverdueAt = 0;
  let lastOverdue: TracedTask | null = null;

  /**
   * Sends a message to an agent. Returns false if the agent failed, so that the sweep continues with other agents.
   */
  async function send<K extends MessageKind>(agentId: string, message: MessageOf<K>): Promise<boolean> {
    try {
      await agents.send(agentId, message);
      return true;
    } catch (error) {
      if (!(error instanceof AgentGone))
        log.warn(
          { err: error, agentId, message: message.kind },
          'a sweep could not send a message to an agent',
        );
      return false;
    }
  }

  /**
   * Returns the next overdue tasks. A new pass over all tasks starts every `OVERDUE_MS`, because tasks stay overdue
   * while there is no worker.
   */
  async function overdueTasks(): Promise<TracedTask[]> {
    const now = clock.now();
    if (lastOverdue === null && now < nextOverdueAt) return [];
    const found = await store.tasks.untaken(now - OVERDUE_MS, OVERDUE_BATCH, lastOverdue);
    if (lastOverdue === null && found.length > 0) nextOverdueAt = now + OVERDUE_MS;
    lastOverdue = found.length === OVERDUE_BATCH ? (found.at(-1) ?? null) : null;
    return found;
  }

  /**
   * Returns tasks whose message is probably not in the queue. After a kill, the queue holds messages whose confirmation
   * was not recorded. Until it was once empty and their events have arrived, only old messages count.
   */
  async function unpublished(): Promise<TracedTask[]> {
    const olderThan = (ageMs: number) => store.tasks.unpublished(clock.now() - ageMs, BATCH);
    if (options.isQueueInside) return olderThan(CONFIRM_MS);
    if (queueEmptyAt === null && (await queue.depth()).waiting === 0) queueEmptyAt = clock.now();
    const isSettled = queueEmptyAt !== null && Math.abs(clock.now() - queueEmptyAt) >= CONFIRM_MS;
    return olderThan(isSettled ? CONFIRM_MS : LOST_MS);
  }

  /** Sends the same message to each agent. Returns the number of replies. */
  async function sendToAll<K extends MessageKind>(
    agentIds: string[],
    message: MessageOf<K>,
  ): Promise<number> {
    const replies = await Promise.all(agentIds.map((agentId) => send(agentId, message)));
    return replies.filter(Boolean).length;
  }

  /** Returns waiting agents of every workspace, even if one workspace has more than a batch of waiting agents. */
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

  /**
   * Runs one step of a long task, then pauses for the same time (at most `MAX_PAUSE_MS`) to leave capacity for other
   * work.
   */
  async function step<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await work();
    await sleep(Math.min(performance.now() - began, MAX_PAUSE_MS));
    return result;
  }

  return [
    {
      // Admits due retries, and first attempts that did not fit into a window.
      name: 'due',
      everyMs: 500,
      async run() {
        const shares = createShares(windows.ofAll, windows.ofAll, await store.tasks.underWay());
        const places = distribute(await agentsInLine(shares), shares, windows.ofAgent);
        await Promise.all([...places].map(([agentId, n]) => send(agentId, { kind: 'admit', places: n })));
        return false;
      },
    },
    {
      // Publishes committed attempts that the queue has not confirmed.
      name: 'outbox',
      everyMs: 1000,
      async run() {
        const confirmed = await dispatcher.again(async () => taskMessages(await unpublished(), store.sites));
        // After an outage there may be thousands: continue while the queue accepts them.
        return confirmed === BATCH;
      },
    },
    {
      // Publishes attempts that the queue has confirmed but lost, because it was purged or the broker lost its disk.
      // Duplicates are harmless.
      name: 'lost-messages',
      everyMs: 15_000,
      async run() {
        if (options.isQueueInside) return false;
        const published = await store.tasks.published();
        const { waiting } = await queue.depth();
        // Require two checks in a row, because a task that a worker is just taking also seems to be missing.
        const missingNow = waiting === null ? 0 : Math.max(0, published - waiting);
        const missing = Math.min(missingNow, missingBefore, BATCH);
        missingBefore = missingNow;
        await dispatcher.again(async () => {
          // Queues are consumed in FIFO order, so the oldest are the lost ones.
          const lost = missing === 0 ? [] : await store.tasks.untaken(clock.now() - LOST_MS, missing);
          const found = new Map([...lost, ...(await overdueTasks())].map((task) => [task.id, task]));
          if (found.size > 0)
            log.warn({ tasks: found.size }, 'tasks are no longer in the queue; they are published again');
          return taskMessages([...found.values()], store.sites);
        });
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
        await sendToAll(await store.tasks.agentsWithStalledTasks(clock.now(), BATCH), {
          kind: 'expireLeases',
        });
        trust.looked(clock.now());
        return false;
      },
    },
    {
      name: 'auto-retrain',
      everyMs: Math.min(30_000, options.retrainIntervalSeconds * 250),
      async run() {
        const intervalSeconds = options.retrainIntervalSeconds;
        const now = seconds(clock.now());
        const over = await store.tasks.agentsToRetrain(now, now - intervalSeconds, BATCH);
        await sendToAll(over, { kind: 'autoRetrain', intervalSeconds });
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
      // Creates further tasks of jobs that have too many for one turn.
      name: 'openings',
      everyMs: 500,
      async run() {
        let opened = 0;
        for (const { agentId, jobId } of await store.tasks.jobsToOpen(STEPS_PER_RUN))
          opened += await step(() => sendToAll([agentId], { kind: 'openTasks', jobId }));
        return opened > 0;
      },
    },
    {
      name: 'deleted-sites',
      everyMs: 500,
      async run() {
        let cleared = 0;
        for (const { agentId, siteId } of await store.sites.hidden(STEPS_PER_RUN))
          cleared += await step(() => sendToAll([agentId], { kind: 'clearSite', siteId }));
        return cleared > 0;
      },
    },
    {
      name: 'old-jobs',
      everyMs: OLD_JOBS_MS,
      async run() {
        if (options.keepJobsDays === null) return false;
        const before = seconds(clock.now()) - options.keepJobsDays * DAY_S;
        const agentIds = await store.tasks.agentsWithOldJobs(before, STEPS_PER_RUN);
        let replies = 0;
        for (const agentId of agentIds)
          replies += await step(() => sendToAll([agentId], { kind: 'forgetJobs', before }));
        return replies > 0;
      },
    },
    {
      name: 'remains',
      everyMs: 500,
      async run() {
        const left = await store.remains.list(seconds(clock.now()), STEPS_PER_RUN);
        for (const agent of left) {
          await step(() => store.remains.clear(agent, seconds(clock.now())));
        }
        return left.length > 0;
      },
    },
    strayObjects(options),
    {
      // Deletes discarded objects. This happens after the commit, so that a rollback loses no object.
      name: 'discards',
      everyMs: 1000,
      async run() {
        const found = await store.uploads.discards(seconds(clock.now()) - SETTLED_S, discardedUpTo, BATCH);
        const gone = await Promise.allSettled(found.map(({ path }) => storage.delete(path)));
        const deleted = found.filter((_, n) => gone[n]?.status === 'fulfilled');
        if (deleted.length > 0) await store.uploads.discarded(deleted);
        if (deleted.length < found.length)
          log.warn({ left: found.length - deleted.length }, 'objects could not be deleted; trying again');
        // Skip objects that could not be deleted; try them again after the last one.
        discardedUpTo = found.length === BATCH ? (found.at(-1) ?? null) : null;
        return deleted.length === BATCH;
      },
    },
  ];
}
