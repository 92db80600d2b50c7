import t, { type Test } from 'tap';

/*
 * Runs several test files in one process, one after the other. Loading the service takes a second of processor time in
 * each process, and its code runs faster once it has run before.
 */

/** Timeout of a file. */
const FILE_MS = 300_000;

/** Members of tap's root test that files use outside of their tests. */
const delegated = ['test', 'teardown', 'setTimeout', 'passing', 'comment'] as const;

/** Redirects the root test, which files import, to this test. Returns a function that undoes it. */
function becomeRoot(test: Test): () => void {
  const names = [...delegated, 'jobs'] as const;
  const before = names.map((name) => Object.getOwnPropertyDescriptor(t, name));
  for (const name of delegated)
    Object.defineProperty(t, name, { configurable: true, writable: true, value: test[name].bind(test) });
  Object.defineProperty(t, 'jobs', {
    configurable: true,
    get: () => test.jobs,
    set: (jobs: number) => {
      test.jobs = jobs;
    },
  });
  return () => {
    for (const [n, name] of names.entries()) {
      delete t[name];
      const own = before[n];
      if (own) Object.defineProperty(t, name, own);
    }
  };
}

/** Runs compiled test files, by their paths below `dist-test`. Each is a subtest, torn down before the next begins. */
export async function runBatch(files: readonly string[]): Promise<void> {
  t.setTimeout(FILE_MS * files.length);
  for (const file of files) {
    let undo = () => {};
    await t.test(file, { timeout: FILE_MS }, async (test) => {
      undo = becomeRoot(test);
      await import(new URL(`../../${file}`, import.meta.url).href);
    });
    undo();
  }
}
