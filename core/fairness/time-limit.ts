/**
 * Resolves to what `work` gives, or to what `late` gives when it takes longer than `ms` milliseconds. Rejects
 * when `work` does in time, and with what `late` throws. Late work goes on, and nobody hears how it ends.
 * `work` need not be a promise: what a plugin returns may not be one.
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
