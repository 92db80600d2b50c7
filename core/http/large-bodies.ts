import { setImmediate as inNextRound, setTimeout as pause } from 'node:timers/promises';
import { createFairLine } from '../tasks/fair-line.js';
import type { ThreadShares } from '../tasks/thread-shares.js';

export interface LargeBodies {
  /** Runs `make`, which parses a body, when it is its turn; settles as it does. */
  take<T>(workspaceId: string, make: () => T): Promise<T>;
}

/**
 * After a body, others have the thread for so many times as long as it took to parse: receiving it and
 * collecting it as garbage took time, too. Parsing may seem slow because another process had the processor: that is
 * no reason for more than `mostMs`.
 */
const REST = { times: 4, mostMs: 50 };
/** The same while other workspaces ask for something else. */
const REST_BESIDE_OTHERS = { times: 32, mostMs: 100 };

const restOf = (ms: number, { times, mostMs }: typeof REST): number => Math.min(mostMs, ms * times);

interface Body {
  workspaceId: string;
  make: () => void;
}

/**
 * Large bodies are parsed one by one, workspaces taking turns. The memory for bodies bounds the line: while that is
 * used up, the next body of a workspace waits unread.
 *
 * @param now milliseconds
 * @param rest resolves after so many milliseconds
 */
export function createLargeBodies(
  { othersAsk }: Pick<ThreadShares, 'othersAsk'>,
  now: () => number = () => performance.now(),
  rest: (ms: number) => Promise<unknown> = pause,
): LargeBodies {
  const line = createFairLine<Body>();
  let working = false;

  /**
   * Others have the thread, for long while they ask for something else. When a body of another workspace is in line,
   * or comes meanwhile, the rest ends with its present part: it would only hold up that body.
   */
  async function restAfter({ workspaceId }: Body, ms: number): Promise<void> {
    const part = Math.max(1, restOf(ms, REST));
    const end = now() + restOf(ms, othersAsk(workspaceId) ? REST_BESIDE_OTHERS : REST);
    for (let left = end - now(); left >= 1; left = end - now()) {
      await rest(Math.min(left, part));
      if (line.size > line.sizeOf(workspaceId)) return;
    }
  }

  async function work(): Promise<void> {
    working = true;
    await inNextRound();
    for (let body = line.take(); body; body = line.take()) {
      const from = now();
      body.make();
      await restAfter(body, now() - from);
      await inNextRound();
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
        line.add({ workspaceId, make: inTurn }, { workspaceId, agentId: workspaceId });
        if (!working) void work();
      }),
  };
}
