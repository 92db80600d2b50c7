import { overloaded } from '../errors/api-error.js';
import { createSemaphore } from '../fairness/semaphore.js';

/** How long a password may wait for its turn, in milliseconds. */
const PATIENCE_MS = 10_000;

export interface Client {
  /** Network of the client. */
  network: string;
  /** Whether the user has signed in from this browser before. */
  isKnownDevice: boolean;
}

/** Runs the expensive work of checking or hashing a password. Rejects with 503 after 10 s in the queue. */
export type PasswordLanes = <T>(client: Client, work: () => Promise<T>) => Promise<T>;

/**
 * Two lanes with a permit each: known browsers never wait behind strangers, and together they use two threads and 256
 * MiB at most. In a lane, networks take turns.
 */
export function createPasswordLanes(): PasswordLanes {
  const known = createSemaphore(1);
  const strangers = createSemaphore(1);
  return async ({ network, isKnownDevice }, work) => {
    const lane = isKnownDevice ? known : strangers;
    const patience = AbortSignal.timeout(PATIENCE_MS);
    let release: () => void;
    try {
      release = await lane.acquire(patience, { workspaceId: network, agentId: '' });
    } catch (cause) {
      throw overloaded(cause);
    }
    try {
      return await work();
    } finally {
      release();
    }
  };
}
