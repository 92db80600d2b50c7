import { setImmediate as inNextRound } from 'node:timers';
import { createFairLine } from '../tasks/fair-line.js';

/** Where requests wait for their turn. */
export interface RequestTurns {
  /** Resolves when a request of this workspace may go on: at once, unless many came together. */
  enter(workspaceId: string): Promise<void>;
}

/** Requests that one round lets in as they come, and those that it lets in from the line. */
const UNASKED = 4;
const FROM_LINE = 16;
/** After so long a round lets nobody in any more. */
const ROUND_MS = 3;

interface Round {
  since: number;
  entered: number;
}

/**
 * Lets requests in by turns of their workspaces, a few in each round of the event loop. All that one look at the sockets finds would be worked on
 * before the next look, however many of them one client has sent: whoever came then would wait for all of these.
 */
export function createRequestTurns(now: () => number = () => performance.now()): RequestTurns {
  const line = createFairLine<() => void>();
  let round: Round | null = null;

  function begin(): Round {
    const begun = { since: now(), entered: 0 };
    round = begun;
    return begun;
  }

  const mayEnter = ({ since, entered }: Round, most: number): boolean =>
    entered === 0 || (entered < most && now() - since < ROUND_MS);

  /** One by one: what each does at once is done before the next one's turn, and counts. */
  function serveLine(): void {
    round = null;
    if (line.size === 0) return;
    for (let n = Math.min(line.size, FROM_LINE); n > 0; n -= 1) {
      inNextRound(() => {
        const current = round ?? begin();
        if (!mayEnter(current, FROM_LINE)) return;
        current.entered += 1;
        line.take()?.();
      });
    }
    inNextRound(serveLine);
  }

  return {
    async enter(workspaceId) {
      if (line.size === 0) {
        if (round === null) inNextRound(serveLine);
        const current = round ?? begin();
        if (mayEnter(current, UNASKED)) {
          current.entered += 1;
          return;
        }
      }
      await new Promise<void>((resolve) => line.add(resolve, { workspaceId, agentId: workspaceId }));
    },
  };
}
