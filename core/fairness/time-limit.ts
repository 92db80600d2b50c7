/**
 * Settles like `work`, or with the result of `late` after `ms` milliseconds. In that case the work continues, and its
 * outcome is ignored. `work` may be a plain value, because a plugin may return one instead of a promise.
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

/**
 * Waits for `work` at most `ms` milliseconds. Resolves to whether it finished in time. Rejects if `work` rejects in
 * time.
 */
export const within = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  inTime(
    ms,
    work.then(() => true),
    () => false,
  );
