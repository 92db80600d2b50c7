import type { Owner } from '../fairness/owner.js';
import { createFairLine } from './fair-line.js';

/** Where work waits for something that is scarce, and is let in by turns. */
export interface WaitingRoom<W extends Owner> {
  /** Resolves when `who` has been let in. Rejects with the reason of the signal when that is aborted first. */
  enter(who: W, signal: AbortSignal): Promise<void>;
  /** A place has become free: lets in those who may go. */
  look(): void;
  /** How many of this workspace wait. */
  sizeOf(workspaceId: string): number;
}

/** `may` tells whether someone can be let in now, and `take` takes for him what he waited for. */
export const createWaitingRoom = <W extends Owner>(
  may: (who: W) => boolean,
  take: (who: W) => void,
): WaitingRoom<W> => {
  const line = createFairLine<{ who: W; letIn: () => void }>();

  const look = (): void => {
    const mayGo = ({ who }: { who: W }) => may(who);
    for (let next = line.take(mayGo); next !== undefined; next = line.take(mayGo)) {
      take(next.who);
      next.letIn();
    }
  };

  return {
    look,
    sizeOf: (workspaceId) => line.sizeOf(workspaceId),
    enter: (who, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const giveUp = (): void => {
          line.remove(waiting, who);
          reject(signal.reason);
        };
        const letIn = (): void => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const waiting = { who, letIn };
        signal.addEventListener('abort', giveUp, { once: true });
        line.add(waiting, who);
        look();
      }),
  };
};
