/** Waits for `work`, at most `ms` milliseconds; false when the time was up first. Rejects when `work` does. */
export const within = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ms);
    work
      .then(() => resolve(true), reject)
      .finally(() => clearTimeout(timer))
      .catch(() => undefined);
  });
