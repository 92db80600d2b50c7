/** Time that a piece of work may take, not counting the pauses. */
export interface TimeBudget {
  /** Aborted when the time is used up, or with the signal that the budget was made with. */
  signal: AbortSignal;
  expired(): boolean;
  /** Waits for something that is not ours to hurry, such as a turn at a busy host. */
  pausedDuring<T>(wait: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Starts to run at once. `ms` is the time in all. */
export const startTimeBudget = (ms: number, outer: AbortSignal): TimeBudget => {
  const expiry = new AbortController();
  let left = ms;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    startedAt = performance.now();
    timer = setTimeout(() => expiry.abort(new Error(`not done in ${ms} ms`)), Math.max(0, left));
  };
  const pause = (): void => {
    clearTimeout(timer);
    left -= performance.now() - startedAt;
  };
  run();
  return {
    signal: AbortSignal.any([expiry.signal, outer]),
    expired: () => expiry.signal.aborted,
    async pausedDuring(wait) {
      pause();
      try {
        return await wait();
      } finally {
        run();
      }
    },
    stop: () => clearTimeout(timer),
  };
};
