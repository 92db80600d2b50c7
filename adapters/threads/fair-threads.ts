import type { Piscina } from 'piscina';
import type { Owner } from '../../core/fairness/owner.js';
import { createSemaphore } from '../../core/fairness/semaphore.js';
import { mayTakeAny, type ShareRule } from '../../core/fairness/shares.js';
import type { Log } from '../../core/ports/log.port.js';

/** A pool of threads that start on demand and end when idle. It serves workspaces round-robin. */
export interface FairThreads<Task, Result> {
  /**
   * Runs a task in a thread. Rejects like the task, or with ThreadsBusy if the workspace has too many queued tasks,
   * the task gets no thread in time, or the pool is closed. A task that exceeds the time limit is ended together with
   * its thread.
   */
  run(task: Task, owner: Owner): Promise<Result>;
  close(): Promise<void>;
}

/** The task did not run. A retry may succeed soon. */
export class ThreadsBusy extends Error {
  constructor() {
    super('all threads are busy');
    this.name = 'ThreadsBusy';
  }
}

/** Returns whether a retry may succeed soon: also after a timeout, because the start of a thread may be slow on a busy machine. */
export const isBusy = (error: unknown): boolean =>
  error instanceof ThreadsBusy || (error instanceof Error && error.name === 'AbortError');

interface Options {
  /** The thread's module in this folder, without its ending. */
  module: string;
  /** The module's export that runs the tasks. */
  name: string;
  threads: number;
  /** Limits the threads that a workspace may occupy. Defaults to all threads. */
  rule?: ShareRule;
  /** Timeout of a task in its thread, and also of its time in the queue, in milliseconds. */
  limitMs: number;
  log: Log;
}

const fromSource = import.meta.url.endsWith('.ts');
const IDLE_MS = 10_000;
/** Maximum number of queued tasks of a workspace. Further tasks would reach their timeout in the queue. */
const QUEUED_PER_WORKSPACE = 100;

/** Creates the pool. Its library is loaded with the first task. */
export function fairThreads<Task, Result>(options: Options): FairThreads<Task, Result> {
  const { threads, limitMs, rule = mayTakeAny } = options;
  const permits = createSemaphore(threads, { rule });
  let pool: Promise<Piscina> | undefined;
  /** Workspaces of the queued and running tasks. */
  const tasks: string[] = [];
  let closed = false;

  return {
    async run(task, owner) {
      pool ??= openPool(options);
      const opened = await pool;
      const { workspaceId } = owner;
      const ofWorkspace = tasks.filter((id) => id === workspaceId).length;
      if (ofWorkspace >= threads + QUEUED_PER_WORKSPACE) throw new ThreadsBusy();
      tasks.push(workspaceId);
      const queueTimeout = AbortSignal.timeout(limitMs);
      try {
        return await permits.run(owner, queueTimeout, () => {
          if (closed) throw new ThreadsBusy();
          return opened.run(task, { signal: AbortSignal.timeout(limitMs) });
        });
      } catch (error) {
        if (closed || error === queueTimeout.reason) throw new ThreadsBusy();
        throw error;
      } finally {
        tasks.splice(tasks.indexOf(workspaceId), 1);
      }
    },
    async close() {
      closed = true;
      await (await pool)?.destroy();
    },
  };
}

/** Loads the library and opens the pool. */
async function openPool({ module, name, threads, log }: Options): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina({
    filename: new URL(fromSource ? './from-source.mjs' : `./${module}.js`, import.meta.url).href,
    name,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 1,
  });
  // Log the death of an idle thread, which fails no task. Without this listener, it would end the process.
  pool.on('error', (error: unknown) => log.warn({ err: error, name }, 'a thread died'));
  return pool;
}
