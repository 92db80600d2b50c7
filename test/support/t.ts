import root, { type Test } from 'tap';

/*
 * The test that a file's own tests belong to: tap's root if the file runs in a process of its own, else a subtest, so that
 * what the file has started is torn down before the next file begins.
 */

// How long a test takes depends on the machine. The runner ends a process that is silent for too long.
root.setTimeout(0);

let current: Test = root;

/** Used like tap's root: `import t from '…/support/t.js'`. */
const t = new Proxy(root, {
  get(_, name) {
    const value: unknown = Reflect.get(current, name);
    return typeof value === 'function' ? value.bind(current) : value;
  },
  set: (_, name, value) => Reflect.set(current, name, value),
});
export default t;

/** Runs a file, which `load` imports, as a subtest of this name. */
export async function runFile(name: string, load: () => Promise<unknown>): Promise<void> {
  await root.test(name, async (test) => {
    current = test;
    await load();
  });
  current = root;
}
