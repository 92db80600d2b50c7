import { StoreBusy } from '../../../core/ports/store/store-errors.js';

/** Queues for the writing connections: one per workspace, and one for the service itself. */
export interface WriteQueues {
  /** Runs `work` when a connection is free and returns its result. Rejects with StoreBusy if that takes too long. */
  run<T>(who: string, work: () => Promise<T>): Promise<T>;
}

interface Queue {
  waiting: (() => void)[];
  running: number;
}

/**
 * Grants the permits round-robin between the queues. A queue gets another permit only while it holds fewer than
 * are free, so that a workspace whose writers wait for a lock cannot take all connections.
 */
export function createWriteQueues({
  permits,
  timeoutMs,
}: {
  permits: number;
  timeoutMs: number;
}): WriteQueues {
  // In the order of service: a queue moves to the end when it is served.
  const queues = new Map<string, Queue>();
  let free = permits;

  function grant(): void {
    for (const [who, queue] of queues) {
      if (queue.running >= free) continue;
      const next = queue.waiting.shift();
      if (!next) continue;
      free -= 1;
      queue.running += 1;
      queues.delete(who);
      queues.set(who, queue);
      next();
    }
  }

  function queueOf(who: string): Queue {
    const queue = queues.get(who) ?? { waiting: [], running: 0 };
    queues.set(who, queue);
    return queue;
  }

  function release(who: string, queue: Queue): void {
    free += 1;
    queue.running -= 1;
    dropEmpty(who, queue);
    grant();
  }

  function dropEmpty(who: string, { running, waiting }: Queue): void {
    if (running === 0 && waiting.length === 0) queues.delete(who);
  }

  /** Resolves with a permit. */
  const acquire = (who: string, queue: Queue): Promise<void> =>
    new Promise((resolve, reject) => {
      const granted = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(granted), 1);
        dropEmpty(who, queue);
        reject(new StoreBusy(new Error(`no connection for writing was free within ${timeoutMs} ms`)));
      }, timeoutMs);
      queue.waiting.push(granted);
      grant();
    });

  return {
    async run(who, work) {
      const queue = queueOf(who);
      await acquire(who, queue);
      try {
        return await work();
      } finally {
        release(who, queue);
      }
    },
  };
}
