import type { Piscina } from 'piscina';
import type { Owner } from '../../core/fairness/owner.js';
import { createSemaphore } from '../../core/fairness/semaphore.js';
import { mayTakeAny, type ShareRule } from '../../core/fairness/shares.js';
import type { Log } from '../../core/ports/log.port.js';

/** A pool of threads that start on demand and end when idle. Workspaces are served round-robin. */
export interface FairThreads<Task, Result> {
  /**
   * Rejects with ThreadsBusy if the workspace has too many tasks queued, if the task did not get a thread in time or if
   * the threads are closed; otherwise as the task does. A task that exceeds the time limit ends with its thread.
   */
  run(task: Task, owner: Owner): Promise<Result>;
  close(): Promise<void>;
}

/** The task did not run; a retry may succeed soon. */
export class ThreadsBusy extends Error {
  constructor() {
    super('all threads are busy');
    this.name = 'ThreadsBusy';
  }
}

/** A retry may succeed soon. Includes a task that timed out: on a busy machine, its thread may not have started in time. */
export const isBusy = (error: unknown): boolean =>
  error instanceof ThreadsBusy || (error instanceof Error && error.name === 'AbortError');

interface Options {
  /** The thread's module in this folder, without its ending. */
  module: string;
  /** The module's export that runs the tasks. */
  name: string;
  threads: number;
  /** Decides how many threads a workspace may occupy. Defaults to all. */
  rule?: ShareRule;
  /** Timeout of one task in a thread, and before that of its time in the queue, in milliseconds. */
  limitMs: number;
  log: Log;
}

const fromSource = import.meta.url.endsWith('.ts');
const IDLE_MS = 10_000;
/** Maximum queued tasks of a workspace. More would all reach their timeout in the queue. */
const QUEUED_PER_WORKSPACE = 100;

/** Creates the pool. The first task loads its library. */
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

/** Loads the pool, and its library, with the first task. */
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
  // An idle thread that dies fails no task. Without a listener, it would end the process.
  pool.on('error', (error: unknown) => log.warn({ err: error, name }, 'a thread died'));
  return pool;
}
