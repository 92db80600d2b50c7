interface Ages {
  /** Maximum age of a result that is returned without a new run. */
  freshMs: number;
  /** Maximum age of a result that is returned while a new run is in progress. */
  usableMs: number;
}

/**
 * Returns a function that caches an expensive read: it runs at most once per `freshMs`, and concurrent callers share
 * a run.
 */
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
      // Waiting callers receive the error. If there are none, it must not crash the process as an unhandled
      // rejection.
      running.catch(() => {});
    }
    return last !== null && age < usableMs ? last.result : (running as Promise<T>);
  };
}
