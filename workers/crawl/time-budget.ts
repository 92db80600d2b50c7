/** A timeout that can be paused. */
export interface TimeBudget {
  /** Aborted on timeout, or with the signal that the budget was created with. */
  signal: AbortSignal;
  expired(): boolean;
  /** Pauses while waiting for something external, such as a busy host. */
  pausedDuring<T>(wait: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Starts at once. `ms` is the total time. */
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
