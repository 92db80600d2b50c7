import { totalmem } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { TaskFailure } from '../../core/tasks/failures.js';

export interface MemoryWatch {
  /**
   * Registers a running task; `stop` is called with its failure when the process needs too much. Returns a function
   * that ends the watch. First waits, within bounds, until the memory of stopped tasks has been given back.
   */
  enter(stop: (failure: TaskFailure) => void): Promise<() => void>;
}

export interface MemoryWatchOptions {
  /** Threads that live, busy or not. */
  threads: () => number;
  /** What each of them may hold at any time, and what a running task may hold on top. Bytes. */
  perThread: number;
  perTask: number;
  everyMs?: number;
  settleMs?: number;
  /** Resident memory of the process, and what it may have in all. Bytes. */
  resident?: () => number;
  ceiling?: number;
  /** More than `perTask` was not given back by threads that were stopped: only a fresh process has it again. */
  onMemoryKept?: () => void;
}

const EVERY_MS = 100;
/** A thread that was stopped gives its memory back within this time. */
const SETTLE_MS = 5_000;

/** A container that is over its limit is killed, with all that runs in it: its watch must come first. */
const SHARE_OF_CONTAINER = 0.85;

function ceilingOfContainer(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit * SHARE_OF_CONTAINER : Number.POSITIVE_INFINITY;
}

/**
 * Buffers do not count against the heap limit of a thread, so the resident memory of the process is watched
 * while tasks run. Above the allowance all of them are stopped. One that ran alone is at fault and fails for
 * good; of several any may be, so they are tried again. After such a stop, as many tasks run one at a time,
 * so that the one at fault does no harm to others again.
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

  function look(): void {
    if (running.size === 0) return;
    if (excess() <= perTask * running.size && resident() <= Math.max(ceiling, idle + perThread)) return;
    const isAlone = running.size === 1;
    if (!isAlone) suspects += running.size;
    for (const stop of [...running]) {
      stop(new TaskFailure('PARSE_MEMORY', isAlone ? {} : { verdict: 'retry' }));
    }
  }

  /** Memory that is not given back in time counts as that of the idle process. */
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
      timer ??= setInterval(look, everyMs);
      return () => {
        running.delete(stop);
        if (running.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
