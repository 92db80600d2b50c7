import type { Owner } from '../../core/fairness/owner.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import { createWaitingRoom } from '../../core/tasks/waiting-room.js';

export interface Turnstile {
  /**
   * Resolves when there is a place, with the function that gives it back. Rejects with a failure to be tried
   * again when `signal` aborts first.
   */
  enter(owner: Owner, signal: AbortSignal): Promise<() => void>;
}

/**
 * Lets `places` in at a time, by turns. No place stays empty while somebody waits. When all are taken,
 * `spare` ones are for workspaces that have nobody inside, because those inside may stay for long.
 */
export function createTurnstile(places: number, spare: number): Turnstile {
  const inside = new Map<string, number>();
  let free = places;
  const room = createWaitingRoom<Owner>(
    ({ workspaceId }) => free > 0 || (free + spare > 0 && !inside.has(workspaceId)),
    ({ workspaceId }) => {
      free -= 1;
      inside.set(workspaceId, (inside.get(workspaceId) ?? 0) + 1);
    },
  );

  function leave(workspaceId: string): void {
    free += 1;
    const others = (inside.get(workspaceId) ?? 0) - 1;
    if (others > 0) inside.set(workspaceId, others);
    else inside.delete(workspaceId);
    room.look();
  }

  return {
    async enter(owner, signal) {
      await room.enter(owner, signal).catch((cause) => {
        throw new TaskFailure('TASK_FAILED', {
          message: 'All threads were busy for too long. It is tried again.',
          cause,
        });
      });
      let left = false;
      return () => {
        if (left) return;
        left = true;
        leave(owner.workspaceId);
      };
    },
  };
}
