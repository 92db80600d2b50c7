import { setImmediate as inNextRound } from 'node:timers/promises';
import { createFairLine } from '../tasks/fair-line.js';

export interface LargeBodies {
  /** Has `make` make values of a body when it is its turn; gives what it gives, and throws what it throws. */
  take<T>(workspaceId: string, make: () => T): Promise<T>;
}

/** Large bodies are made values of one by one, each in a round of the event loop of its own, by turns of their workspaces. */
export function createLargeBodies(): LargeBodies {
  const line = createFairLine<() => void>();
  let working = false;

  async function work(): Promise<void> {
    working = true;
    while (line.size > 0) {
      await inNextRound();
      line.take()?.();
    }
    working = false;
  }

  return {
    take: (workspaceId, make) =>
      new Promise((resolve, reject) => {
        const inTurn = (): void => {
          try {
            resolve(make());
          } catch (error) {
            reject(error);
          }
        };
        line.add(inTurn, { workspaceId, agentId: workspaceId });
        if (!working) void work();
      }),
  };
}
