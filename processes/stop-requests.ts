/**
 * Requests to stop the process. They are recorded from the first moment, because loading the process takes half a
 * second.
 */
export interface StopRequests {
  /** Calls `stop` with the reason at the first request; immediately if it was already made. */
  onRequest(stop: (why: string) => void): void;
  /** Aborts at the second signal, which ends the drain phase. */
  insisted: AbortSignal;
  /** Stops handling signals. */
  release(): void;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const PARENT_CHECK_MS = 500;

export function listenForStop(): StopRequests {
  let requested: string | undefined;
  let listener: ((why: string) => void) | undefined;
  const request = (why: string) => {
    requested ??= why;
    listener?.(requested);
  };
  const insisted = new AbortController();
  let signals = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    signals += 1;
    if (signals > 1) insisted.abort();
    request(signal);
  };
  const onDisconnect = () => request('the API process of this worker has ended');
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('disconnect', onDisconnect);
  const parentWatch = process.env.npm_lifecycle_event === undefined ? undefined : watchParent(request);

  return {
    insisted: insisted.signal,
    onRequest(stop) {
      listener = stop;
      if (requested !== undefined) stop(requested);
    },
    release() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
      process.off('disconnect', onDisconnect);
      clearInterval(parentWatch);
    },
  };
}

/**
 * Requests a stop when the parent process ends. With `npm start`, the parent is a shell, which ends at SIGTERM
 * without forwarding it.
 */
function watchParent(request: (why: string) => void): NodeJS.Timeout {
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) request('npm was stopped');
  }, PARENT_CHECK_MS).unref();
}
