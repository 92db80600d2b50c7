import { setImmediate as inNextIteration } from 'node:timers';

/**
 * A semaphore with a FIFO queue for each key, served round-robin. A key is limited only while it competes with another
 * key; a key without competitors gets everything.
 */
export interface FairQueue {
  /**
   * Takes a permit for `key`. Returns undefined if it is granted at once, else a promise that resolves when it is.
   * Rejects with QueueTimeout after `timeoutMs`. An aborted `signal` removes the request from the queue and rejects
   * with its reason; it is called only for requests that are queued. Every permit must be released once.
   */
  acquire(key: string, signal?: () => AbortSignal): Promise<void> | undefined;
  release(key: string): void;
  /** Number of queued requests. */
  readonly waiting: number;
}

/** The request was in the queue until its deadline. */
export class QueueTimeout extends Error {
  constructor() {
    super('the request did not get its turn in time');
    this.name = 'QueueTimeout';
  }
}

/** Limits of a queue. `now` is replaced in tests. */
export interface FairQueueOptions {
  /** Maximum number of permits that a key holds while it competes with another one. */
  permits: number;
  /** Longest time in the queue, in milliseconds. */
  timeoutMs: number;
  /** Keys that are limited even if they are alone, and that do not limit others. */
  alwaysLimited?: ReadonlySet<string>;
  /** Current time in milliseconds. */
  now?: () => number;
}

/** Two keys compete if both have asked for a permit within this time, in milliseconds. */
const COMPETING_MS = 1000;

interface Queued {
  grant: () => void;
}

/** Creates an empty queue. Keys need not be declared. */
export function createFairQueue({
  permits,
  timeoutMs,
  alwaysLimited = new Set(),
  now = () => performance.now(),
}: FairQueueOptions): FairQueue {
  const held = new Map<string, number>();
  /** Insertion order is the round-robin order. */
  const queues = new Map<string, Queued[]>();
  let waiting = 0;
  /** The key of each permit that was released in this iteration of the event loop. */
  const released: string[] = [];
  let scheduled = false;
  /** The two keys that asked last, each with the time of its last request. */
  let latest = { key: '', at: Number.NEGATIVE_INFINITY };
  let previous = latest;

  function noteRequest(key: string): void {
    if (alwaysLimited.has(key)) return;
    if (key === latest.key) latest.at = now();
    else [latest, previous] = [{ key, at: now() }, latest];
  }

  const isCompeting = (key: string): boolean =>
    now() - (key === latest.key ? previous : latest).at <= COMPETING_MS;

  const mayTake = (key: string): boolean =>
    (held.get(key) ?? 0) < permits || !(alwaysLimited.has(key) || isCompeting(key));

  const take = (key: string): void => void held.set(key, (held.get(key) ?? 0) + 1);

  function dequeue(key: string, queue: Queued[], at: number): Queued | undefined {
    const [queued] = queue.splice(at, 1);
    waiting -= 1;
    if (queue.length === 0) queues.delete(key);
    return queued;
  }

  /** Grants one permit to each key that may take one; keys that got one go to the end of the ring. */
  function grantRound(): boolean {
    let granted = false;
    for (const [key, queue] of [...queues]) {
      if (!mayTake(key)) continue;
      take(key);
      dequeue(key, queue, 0)?.grant();
      if (queues.delete(key)) queues.set(key, queue);
      granted = true;
    }
    return granted;
  }

  function giveBack(key: string): void {
    const left = (held.get(key) ?? 0) - 1;
    if (left > 0) held.set(key, left);
    else held.delete(key);
  }

  /**
   * A released permit can be taken in the next iteration of the event loop. Otherwise requests that never wait for I/O
   * would follow each other without a break, and new connections would not be served.
   */
  function scheduleGrants(): void {
    if (scheduled || (waiting === 0 && released.length === 0)) return;
    scheduled = true;
    inNextIteration(() => {
      scheduled = false;
      for (const key of released.splice(0)) giveBack(key);
      for (let round = 0; round < permits && grantRound(); round += 1);
      if ([...queues.keys()].some(mayTake)) scheduleGrants();
    });
  }

  function enqueue(key: string, signal?: AbortSignal): Promise<void> {
    const queue = queues.get(key) ?? [];
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown): void => {
        end();
        const at = queue.indexOf(queued);
        if (at >= 0) dequeue(key, queue, at);
        reject(reason);
      };
      const abort = (): void => leave(signal?.reason);
      const deadline = setTimeout(() => leave(new QueueTimeout()), timeoutMs).unref();
      const end = (): void => {
        clearTimeout(deadline);
        signal?.removeEventListener('abort', abort);
      };
      const queued: Queued = {
        grant() {
          end();
          resolve();
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.push(queued);
      queues.set(key, queue);
      waiting += 1;
    });
  }

  return {
    get waiting() {
      return waiting;
    },
    acquire(key, signal) {
      noteRequest(key);
      if (!queues.has(key) && mayTake(key)) return void take(key);
      const granted = enqueue(key, signal?.());
      if (mayTake(key)) scheduleGrants();
      return granted;
    },
    release(key) {
      released.push(key);
      scheduleGrants();
    },
  };
}
