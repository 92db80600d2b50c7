/**
 * Settles like `work`, or with the result of `late` after `ms` milliseconds. Late work continues and its outcome
 * is ignored. `work` may be a plain value, as plugins may return one instead of a promise.
 */
export const inTime = <T, L>(ms: number, work: PromiseLike<T> | T, late: () => L): Promise<T | L> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, ms);
    Promise.resolve(work).then(
      (done) => {
        clearTimeout(timer);
        resolve(done);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });

/** Waits for `work`, at most `ms` milliseconds; false when the time was up first. Rejects when `work` does in time. */
export const within = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  inTime(
    ms,
    work.then(() => true),
    () => false,
  );
