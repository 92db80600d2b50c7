import { TaskFailure } from '../../core/tasks/failures.js';
import type { Party } from '../../core/tasks/party.js';
import { createWaitingRoom } from '../turns/waiting-room.js';

export interface Turnstile {
  /** Resolves when there is a place, with the function that gives it back. Rejects with a failure to be tried again when `signal` aborts first. */
  enter(party: Party, signal: AbortSignal): Promise<() => void>;
}

/** Lets `places` in at a time, by turns. No place stays empty while somebody waits. */
export function createTurnstile(places: number): Turnstile {
  let free = places;
  const room = createWaitingRoom<Party>(
    () => free > 0,
    () => {
      free -= 1;
    },
  );

  return {
    async enter(party, signal) {
      await room.enter(party, signal).catch((cause) => {
        throw new TaskFailure('TASK_FAILED', {
          message: 'All threads were busy for too long. It is tried again.',
          cause,
        });
      });
      let left = false;
      return () => {
        if (left) return;
        left = true;
        free += 1;
        room.look();
      };
    },
  };
}
