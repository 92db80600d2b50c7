import type { Owner } from '../../core/fairness/owner.js';
import { createShares } from '../../core/tasks/share.js';
import { createWaitingRoom } from '../../core/tasks/waiting-room.js';
import { createHosts } from './hosts.js';

export interface VisitSettings {
  /** Pages under way at a time: from their request until their text is extracted. */
  slots: number;
  /** Requests that one host answers at the same time. */
  concurrency: number;
  /** Least time between the starts of two requests to one host. Milliseconds. */
  delayMs: number;
}

/** The way of one page through as many hosts as it leads to. */
export interface Visit {
  /**
   * Resolves when it is our turn at the host; call the result to leave. Nothing is held while waiting: a slot
   * is taken together with the place at the host, and kept for what is done with the answer. Rejects with the
   * signal's reason when that is aborted first.
   */
  enter(host: string, signal: AbortSignal): Promise<() => void>;
  /** The page is done: gives its slot back. */
  end(): void;
}

export interface Visits {
  begin(owner: Owner): Visit;
  /** For a small file about a site, which counts for nobody: it waits for the host, and needs no slot. */
  beginWithoutSlot(): Visit;
  close(): void;
}

interface Waiting extends Owner {
  host: string;
  needsSlot: boolean;
}

/** However many a host would take at once: half of the slots stay for others. */
const SHARE_OF_HOST = 2;
const NOBODY: Owner = { workspaceId: '', agentId: '' };

export const createVisits = ({ slots: count, concurrency, delayMs }: VisitSettings): Visits => {
  // A page that is fetched costs little: a owner that has none may have one, up to as many again.
  const slots = createShares(count, count);
  const hosts = createHosts({
    concurrency: Math.min(concurrency, Math.ceil(count / SHARE_OF_HOST)),
    delayMs,
    onOpen: () => room.look(),
  });
  const room = createWaitingRoom<Waiting>(
    ({ host, needsSlot, workspaceId }) => hosts.isOpen(host) && (!needsSlot || slots.mayTake(workspaceId)),
    ({ host, needsSlot, workspaceId }) => {
      hosts.enter(host);
      if (needsSlot) slots.take(workspaceId);
    },
  );
  const begin = (owner: Owner, needsSlot: boolean): Visit => {
    let holdsSlot = false;
    const end = (): void => {
      if (!holdsSlot) return;
      holdsSlot = false;
      slots.giveBack(owner.workspaceId);
      room.look();
    };
    return {
      async enter(host, signal) {
        end();
        await room.enter({ ...owner, host, needsSlot }, signal);
        holdsSlot = needsSlot;
        let isThere = true;
        return () => {
          if (isThere) hosts.leave(host);
          isThere = false;
        };
      },
      end,
    };
  };

  return {
    begin: (owner) => begin(owner, true),
    beginWithoutSlot: () => begin(NOBODY, false),
    close: hosts.close,
  };
};
