import { TaskFailure } from '../../core/jobs/failures.js';

export interface HostGateSettings {
  concurrency: number;
  /** Least time between two entries to one host. Milliseconds. */
  delayMs: number;
  /** Most callers that wait for one host. */
  maxWaiting: number;
}

/** Politeness: how many of us are at a host at the same time, and how fast we follow each other. */
export interface HostGate {
  /**
   * Resolves when it is our turn; the result gives the place back. Rejects with the signal's reason when aborted,
   * with TaskFailure HTTP_BUSY when too many wait already.
   */
  enter(host: string, signal: AbortSignal): Promise<() => void>;
}

interface Host {
  inside: number;
  nextEntryAt: number;
  waiting: Set<() => void>;
  timer: NodeJS.Timeout | undefined;
}

export const createHostGate = ({ concurrency, delayMs, maxWaiting }: HostGateSettings): HostGate => {
  const hosts = new Map<string, Host>();

  const admit = (name: string, host: Host): void => {
    clearTimeout(host.timer);
    host.timer = undefined;
    for (const enter of host.waiting) {
      if (host.inside >= concurrency) return;
      const wait = host.nextEntryAt - performance.now();
      if (wait > 0) {
        host.timer = setTimeout(() => admit(name, host), wait);
        return;
      }
      host.waiting.delete(enter);
      host.inside += 1;
      host.nextEntryAt = performance.now() + delayMs;
      enter();
    }
    if (host.inside > 0) return;
    // The host is remembered until the next entry would be allowed anyway.
    const rest = host.nextEntryAt - performance.now();
    if (rest <= 0) hosts.delete(name);
    else host.timer = setTimeout(() => admit(name, host), rest).unref();
  };

  const leave = (name: string, host: Host) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      host.inside -= 1;
      admit(name, host);
    };
  };

  return {
    async enter(name, signal) {
      signal.throwIfAborted();
      const host = hosts.get(name) ?? { inside: 0, nextEntryAt: 0, waiting: new Set(), timer: undefined };
      hosts.set(name, host);
      if (host.waiting.size >= maxWaiting) {
        throw new TaskFailure('HTTP_BUSY', {
          message: 'Too many pages of this site are waiting to be fetched. Try again later.',
        });
      }
      await new Promise<void>((resolve, reject) => {
        const abort = (): void => {
          host.waiting.delete(enter);
          admit(name, host);
          reject(signal.reason);
        };
        const enter = (): void => {
          signal.removeEventListener('abort', abort);
          resolve();
        };
        signal.addEventListener('abort', abort, { once: true });
        host.waiting.add(enter);
        admit(name, host);
      });
      return leave(name, host);
    },
  };
};
