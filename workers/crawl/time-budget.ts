/** A timeout that can be paused. */
export interface TimeBudget {
  /** Aborts at the timeout, or when the outer signal aborts. */
  signal: AbortSignal;
  expired(): boolean;
  /** Pauses the timeout during `wait`, for example for a busy host. Settles like `wait`. */
  pausedDuring<T>(wait: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Starts a timeout of `ms` milliseconds, without pauses. */
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
