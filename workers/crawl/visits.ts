import { createFairQueue } from '../../core/fairness/fair-queue.js';
import { type Owner, ownerOf } from '../../core/fairness/owner.js';
import { createShares } from '../../core/fairness/shares.js';

export interface VisitSettings {
  /** Maximum number of pages in progress, from their request until their text is extracted. */
  slots: number;
  /** Maximum number of simultaneous requests to one host. */
  concurrency: number;
  /** Minimum time between the starts of two requests to one host, in milliseconds. */
  delayMs: number;
}

/** The fetch of one page, which may redirect to several hosts. */
export interface Visit {
  /**
   * Resolves when a request to the host may start. Call the resulting function when the response has been read. A
   * queued page holds no slot: it gets its slot together with the host's permit, and keeps it until `end`. Rejects
   * with the signal's reason if it aborts first.
   */
  enter(host: string, signal: AbortSignal): Promise<() => void>;
  /** Releases the slot. */
  end(): void;
}

export interface Visits {
  /** `leastDelayMs`: minimum time after each of its requests until the next one to the host, in milliseconds. */
  begin(owner: Owner, leastDelayMs?: number): Visit;
  /** Starts a visit for a small file such as robots.txt, which needs no slot. */
  beginWithoutSlot(): Visit;
  close(): void;
}

interface HostRequest extends Owner {
  host: string;
  needsSlot: boolean;
  delayMs: number;
}

interface Host {
  requests: number;
  /** Timer until the next request may start; null if it may start now. */
  delay: NodeJS.Timeout | null;
}

/** A host gets at most half of the slots, so that a slow host does not block all other hosts. */
const HOSTS_PER_SLOTS = 2;

export const createVisits = ({ slots: count, concurrency, delayMs }: VisitSettings): Visits => {
  const perHost = Math.min(concurrency, Math.ceil(count / HOSTS_PER_SLOTS));
  const hosts = new Map<string, Host>();
  // Fetching costs little, so there are as many spare slots for workspaces without a slot.
  const slots = createShares(count, count);
  const queue = createFairQueue<HostRequest>(
    ({ host, needsSlot, workspaceId }) => isOpen(host) && (!needsSlot || slots.mayTake(workspaceId)),
    ({ host, needsSlot, workspaceId, delayMs }) => {
      start(host, delayMs);
      if (needsSlot) slots.take(workspaceId);
    },
    { inOrder: false },
  );

  function isOpen(name: string): boolean {
    const host = hosts.get(name);
    return host === undefined || (host.requests < perHost && host.delay === null);
  }

  function start(name: string, delayMs: number): void {
    const host = hosts.get(name) ?? { requests: 0, delay: null };
    hosts.set(name, host);
    host.requests += 1;
    if (delayMs === 0) return;
    host.delay = setTimeout(() => {
      host.delay = null;
      changed(name, host);
    }, delayMs);
  }

  function leave(name: string): void {
    const host = hosts.get(name);
    if (host === undefined) return;
    host.requests -= 1;
    changed(name, host);
  }

  function changed(name: string, { requests, delay }: Host): void {
    if (requests === 0 && delay === null) hosts.delete(name);
    queue.grant();
  }

  function begin(owner: Owner, needsSlot: boolean, leastDelayMs = 0): Visit {
    const delay = Math.max(delayMs, leastDelayMs);
    let holdsSlot = false;
    const end = (): void => {
      if (!holdsSlot) return;
      holdsSlot = false;
      slots.giveBack(owner.workspaceId);
      queue.grant();
    };
    return {
      async enter(host, signal) {
        end();
        await queue.wait({ ...owner, host, needsSlot, delayMs: delay }, signal);
        holdsSlot = needsSlot;
        let hasLeft = false;
        return () => {
          if (!hasLeft) leave(host);
          hasLeft = true;
        };
      },
      end,
    };
  }

  return {
    begin: (owner, leastDelayMs) => begin(owner, true, leastDelayMs),
    beginWithoutSlot: () => begin(ownerOf({ agentId: '' }), false),
    close() {
      for (const { delay } of hosts.values()) if (delay !== null) clearTimeout(delay);
    },
  };
};
