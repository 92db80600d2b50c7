import { totalmem } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { TaskFailure } from '../../core/tasks/failures.js';

export interface MemoryWatch {
  /**
   * Registers a task and calls `stop` with its failure if the process exceeds its memory. Waits first, up to a limit,
   * until stopped tasks have released their memory. Resolves to a function that unregisters the task.
   */
  enter(stop: (failure: TaskFailure) => void): Promise<() => void>;
}

export interface MemoryWatchOptions {
  /** Returns the number of threads, busy or idle. */
  threads: () => number;
  /** Bytes that a thread may use, and additional bytes for a running task. */
  perThread: number;
  perTask: number;
  everyMs?: number;
  settleMs?: number;
  /** Resident memory of the process, and its limit, in bytes. */
  resident?: () => number;
  ceiling?: number;
  /**
   * Called if the process still holds more than `perTask` bytes of stopped threads, so that it should be replaced.
   */
  onMemoryKept?: () => void;
}

const EVERY_MS = 100;
/** Maximum time in which a stopped thread must release its memory, in milliseconds. */
const SETTLE_MS = 5_000;

/**
 * Share of the container's memory limit at which the watch reacts, before the kernel kills the container with all its
 * tasks.
 */
const SHARE_OF_CONTAINER = 0.85;

function ceilingOfContainer(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit * SHARE_OF_CONTAINER : Number.POSITIVE_INFINITY;
}

/**
 * Watches the resident memory of the process while tasks run, because a thread's heap limit does not cover buffers.
 * Above the limit, it stops all tasks. A task that ran alone fails permanently. Otherwise the cause is unknown, so
 * all tasks are retried, and the next tasks, as many as were stopped, run one at a time, so that the cause affects no
 * other task again.
 */
export function createMemoryWatch({
  threads,
  perThread,
  perTask,
  everyMs = EVERY_MS,
  settleMs = SETTLE_MS,
  resident = () => process.memoryUsage.rss(),
  ceiling = ceilingOfContainer(),
  onMemoryKept = () => {},
}: MemoryWatchOptions): MemoryWatch {
  const running = new Set<(failure: TaskFailure) => void>();
  const fresh = resident();
  let idle = fresh;
  let timer: NodeJS.Timeout | undefined;

  let suspects = 0;

  const excess = () => resident() - idle - perThread * threads();

  function check(): void {
    if (running.size === 0) return;
    if (excess() <= perTask * running.size && resident() <= Math.max(ceiling, idle + perThread)) return;
    const isAlone = running.size === 1;
    if (!isAlone) suspects += running.size;
    for (const stop of [...running]) {
      stop(new TaskFailure('PARSE_MEMORY', isAlone ? {} : { verdict: 'retry' }));
    }
  }

  /**
   * Waits until stopped tasks have released their memory. Memory that is not released in time becomes part of the
   * baseline.
   */
  async function settle(): Promise<void> {
    const deadline = performance.now() + settleMs;
    while (running.size === 0 && excess() > perTask / 2) {
      if (performance.now() > deadline) idle += excess();
      else await setTimeout(everyMs);
    }
    if (idle - fresh > perTask) onMemoryKept();
  }

  return {
    async enter(stop) {
      await settle();
      while (suspects > 0 && running.size > 0) await setTimeout(everyMs);
      suspects = Math.max(0, suspects - 1);
      running.add(stop);
      timer ??= setInterval(check, everyMs);
      return () => {
        running.delete(stop);
        if (running.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
