import type { Piscina } from 'piscina';
import type { Owner } from '../../core/fairness/owner.js';
import type { Log } from '../../core/ports/log.port.js';
import { createWaitingRoom } from '../../core/tasks/waiting-room.js';

/** A pool of threads that start with the first task and end when they are idle. Workspaces take turns. */
export interface FairThreads<Task, Result> {
  /**
   * Rejects with ThreadsBusy if the workspace has too many tasks in the queue, the task did not get a thread in time, or
   * the threads are closed; otherwise as the task does. A task that exceeds the time limit ends with its thread.
   */
  run(task: Task, owner: Owner): Promise<Result>;
  close(): Promise<void>;
}

/** The task was not run; trying again in a moment helps. */
export class ThreadsBusy extends Error {
  constructor() {
    super('all threads are busy');
    this.name = 'ThreadsBusy';
  }
}

interface Options {
  /** URL of the thread's module. */
  filename: string;
  /** Function that the module exports and that runs the tasks. */
  name: string;
  threads: number;
  /** Tasks of one workspace that may be queued. */
  queued: number;
  /** Longest time of one task, its time in the queue included, in milliseconds. */
  limitMs: number;
  log: Log;
}

const IDLE_MS = 10_000;

/** Creates the pool. The first task loads its library. */
export function fairThreads<Task, Result>(options: Options): FairThreads<Task, Result> {
  const { threads, queued, limitMs } = options;
  let pool: Promise<Piscina> | undefined;
  let running = 0;
  let closed = false;
  const room = createWaitingRoom<Owner>(
    () => running < threads,
    () => {
      running += 1;
    },
  );

  return {
    async run(task, owner) {
      pool ??= openPool(options);
      const opened = await pool;
      const signal = AbortSignal.timeout(limitMs);
      const wasQueued = running >= threads;
      if (room.sizeOf(owner.workspaceId) >= queued) throw new ThreadsBusy();
      await room.enter(owner, signal).catch(() => {
        throw new ThreadsBusy();
      });
      try {
        if (closed) throw new ThreadsBusy();
        return await opened.run(task, { signal });
      } catch (error) {
        // A task that used up its time in the queue may still succeed.
        if (closed || (wasQueued && signal.aborted)) throw new ThreadsBusy();
        throw error;
      } finally {
        running -= 1;
        room.look();
      }
    },
    async close() {
      closed = true;
      await (await pool)?.destroy();
    },
  };
}

/** Loads the pool, and its library, with the first task. */
async function openPool({ filename, name, threads, log }: Options): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina({
    filename,
    name,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 1,
  });
  // A thread that dies between two tasks fails none of them. Without a listener, it would end the process.
  pool.on('error', (error: unknown) => log.warn({ err: error, name }, 'a thread died'));
  return pool;
}
