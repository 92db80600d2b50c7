import type { Log } from '../ports/log.port.js';

export interface WorkRounds {
  /** Claims due work and starts it. Resolves when the work has started. */
  round(): Promise<boolean>;
  /** Runs a round in `inMs` milliseconds, unless one is scheduled sooner. */
  soon(inMs?: number): void;
  /** Claims no further work. Resolves when the running work has ended. */
  stop(): Promise<void>;
}

/**
 * Minimum time between two rounds, in milliseconds. It spreads a burst of work, so that other requests are hardly
 * delayed.
 */
const GAP_MS = 50;

/**
 * Runs claimed work in this process: at most `atOnce` items at a time, of which a round starts at most `perRound`.
 */
export function createWorkRounds<T>({
  claim,
  work,
  atOnce,
  perRound,
  log,
}: {
  claim: (limit: number) => Promise<T[]>;
  work: (one: T) => Promise<void>;
  atOnce: number;
  perRound: number;
  log: Log;
}): WorkRounds {
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let claiming: Promise<boolean> | null = null;
  let claimedAt = Number.NEGATIVE_INFINITY;
  let stopped = false;

  async function claimAll(): Promise<boolean> {
    const room = Math.min(perRound, atOnce - running.size);
    const waitMs = claimedAt + GAP_MS - performance.now();
    if (waitMs > 0) rounds.soon(waitMs);
    if (stopped || room <= 0 || waitMs > 0) return false;
    claimedAt = performance.now();
    const claimed = await claim(room);
    for (const one of claimed) {
      const done = work(one)
        .catch((error: unknown) => log.warn({ err: error }, 'claimed work failed; it is claimed again later'))
        .finally(() => {
          running.delete(done);
          // More work may be due.
          rounds.soon();
        });
      running.add(done);
    }
    if (claimed.length > 0) rounds.soon();
    return false;
  }

  const rounds: WorkRounds = {
    round() {
      claiming ??= claimAll().finally(() => {
        claiming = null;
      });
      return claiming;
    },
    soon(inMs = 0) {
      const at = performance.now() + inMs;
      if (stopped || at >= timerAt) return;
      clearTimeout(timer);
      timerAt = at;
      timer = setTimeout(() => {
        timerAt = Number.POSITIVE_INFINITY;
        // A sweep also runs rounds, so an error needs no retry here.
        rounds.round().catch((error: unknown) => log.debug({ err: error }, 'work cannot be claimed'));
      }, inMs);
      timer.unref();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await Promise.all(running);
    },
  };
  return rounds;
}
