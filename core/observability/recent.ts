interface Ages {
  /** A result younger than this is returned without another run. */
  freshMs: number;
  /** While a run is in progress, a result younger than this is returned. */
  usableMs: number;
}

/** Caches an expensive read: it runs at most once per `freshMs`, and concurrent callers share a run. */
export function recent<T>(
  read: () => Promise<T>,
  { freshMs, usableMs }: Ages,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { result: T; at: number } | null = null;
  let running: Promise<T> | null = null;

  async function run(): Promise<T> {
    const result = await read();
    last = { result, at: now() };
    return result;
  }

  return async () => {
    const age = last === null ? Number.POSITIVE_INFINITY : now() - last.at;
    if (age >= freshMs && running === null) {
      running = run().finally(() => {
        running = null;
      });
      // Waiting callers receive the error. Without any, it must not crash the process as an unhandled rejection.
      running.catch(() => {});
    }
    return last !== null && age < usableMs ? last.result : (running as Promise<T>);
  };
}
