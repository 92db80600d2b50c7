import { setImmediate as inNextRound } from 'node:timers';
import { createFairLine } from '../tasks/fair-line.js';
import type { ThreadShares } from '../tasks/thread-shares.js';

/** Where requests wait for their turn. */
export interface RequestTurns {
  /**
   * Resolves when a request of this workspace may go on: at once, unless the workspace has had too much of
   * the thread, or earlier requests have used up the round. Rejects with DoorBusy after 20 s.
   */
  enter(workspaceId: string): Promise<void>;
  /**
   * Undefined when a request that was let in may do the rest of its work now; else a promise for a
   * round with time left.
   */
  goOn(workspaceId: string): Promise<void> | undefined;
}

/** A request has stood at the door for as long as it may. */
export class DoorBusy extends Error {
  constructor() {
    super('too many requests of this workspace wait for their turn');
    this.name = 'DoorBusy';
  }
}

/**
 * With the waits of a turn (10 s in line, 20 s for the lock), a response comes within the minute that proxies usually
 * wait for one.
 */
const MOST_WAIT_MS = 20_000;

interface Waiting {
  /** False: its time is over. */
  go: (may: boolean) => void;
  until: number;
}

/** The most requests, and milliseconds, of one round. */
const MOST = 32;
const ROUND_MS = 3;

/**
 * Lets requests in for a few milliseconds in each round of the event loop, workspaces taking turns. Otherwise
 * all requests that one look at the sockets finds would be worked on before the next look, however many of
 * them one client has sent, and newcomers would wait for all of these. While everything fits into a round,
 * nobody stands in line.
 */
export function createRequestTurns(
  thread: ThreadShares,
  now: () => number = () => performance.now(),
): RequestTurns {
  const line = createFairLine<Waiting>();
  let round: { since: number; entered: number } | null = null;

  /** In each round at least one may enter. */
  function mayEnter(): boolean {
    if (round === null) round = { since: now(), entered: 0 };
    else if (round.entered === MOST || (round.entered > 0 && now() - round.since >= ROUND_MS)) return false;
    round.entered += 1;
    return true;
  }

  function mayEnterAtOnce(): boolean {
    if (line.size > 0) return false;
    if (round === null) inNextRound(serveLine);
    return mayEnter();
  }

  function letIn(): void {
    const time = now();
    const isLate = ({ until }: Waiting) => until <= time;
    for (let late = line.take(isLate); late; late = line.take(isLate)) late.go(false);
    line.take()?.go(true);
  }

  /** One by one: what each does at once is done before the next one's turn, and counts. */
  function serveLine(): void {
    round = null;
    if (line.size === 0) return;
    for (let n = Math.min(line.size, MOST); n > 0; n -= 1) {
      inNextRound(() => {
        if (mayEnter()) letIn();
      });
    }
    inNextRound(serveLine);
  }

  const inLine = (workspaceId: string, until: number): Promise<boolean> =>
    new Promise((go) => line.add({ go, until }, { workspaceId, agentId: workspaceId }));

  return {
    async enter(workspaceId) {
      const until = now() + MOST_WAIT_MS;
      const held = thread.begin(workspaceId, until);
      if (held && !(await held)) throw new DoorBusy();
      if (!mayEnterAtOnce() && !(await inLine(workspaceId, until))) throw new DoorBusy();
      thread.worksFor(workspaceId);
    },
    goOn(workspaceId) {
      if (round === null) {
        if (line.size === 0) inNextRound(serveLine);
        round = { since: now(), entered: 0 };
      }
      if (now() - round.since >= ROUND_MS)
        return inLine(workspaceId, Number.POSITIVE_INFINITY).then(() => thread.worksFor(workspaceId));
      thread.worksFor(workspaceId);
      return undefined;
    },
  };
}
