import assert from 'node:assert/strict';

const DEADLINE_MS = 15_000;

/** Required properties of a rejection; omitted ones may be anything. */
interface Expected {
  code?: string;
  name?: string;
  /** The identical value, as with an abort reason. */
  is?: unknown;
}

/**
 * Fails unless `call` returns a promise that rejects in time with the expected error. Each failure starts with the
 * name of the call, so that authors see which method is wrong, and what it did instead.
 * @param name As in `storage.open() of a missing object`.
 */
export async function mustReject(name: string, call: () => unknown, expected: Expected = {}): Promise<void> {
  const must = `it must reject with ${wanted(expected)}`;
  const fail = (did: string): never => assert.fail(`${name} ${did}; ${must}`);
  let given: unknown;
  try {
    given = call();
  } catch (error) {
    fail(`threw ${shown(error)} instead of giving a promise`);
  }
  const outcome = await settled(given);
  if (outcome === 'pending') fail(`did not end within ${DEADLINE_MS / 1000} s`);
  else if ('value' in outcome) fail(`resolved with ${shown(outcome.value)}`);
  else checkRejection(name, outcome.error, expected);
}

/** The same for an error that a test has caught; null if there was none. */
export function checkRejection(name: string, error: unknown, expected: Expected = {}): void {
  const must = `it must reject with ${wanted(expected)}`;
  if (error === null) assert.fail(`${name} resolved; ${must}`);
  if (!(error instanceof Error))
    assert.fail(`${name} rejected with ${shown(error)}, which is no Error; ${must}`);
  const { name: errorName, code } = error as Error & { code?: unknown };
  const fits =
    ('is' in expected ? error === expected.is : true) &&
    (expected.code === undefined || code === expected.code) &&
    (expected.name === undefined || errorName === expected.name);
  if (!fits) assert.fail(`${name} rejected with ${shown(error)}; ${must}`);
}

const wanted = ({ code, name, is }: Expected): string => {
  if (is !== undefined) return shown(is);
  if (code !== undefined) return `an error whose code is ${code}`;
  return name === undefined ? 'an error' : `an error whose name is ${name}`;
};

function shown(value: unknown): string {
  if (value instanceof Error) {
    const { code } = value as { code?: unknown };
    return `${String(value)}${code === undefined ? '' : ` (code ${String(code)})`}`;
  }
  const text =
    typeof value === 'object' && value !== null
      ? `a value of type ${value.constructor?.name ?? 'object'}`
      : String(value);
  return text.slice(0, 200);
}

/** Never rejects. A result after the deadline is ignored. */
async function settled(given: unknown): Promise<'pending' | { value: unknown } | { error: unknown }> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<'pending'>((resolve) => {
    timer = setTimeout(resolve, DEADLINE_MS, 'pending');
  });
  const outcome = Promise.resolve(given).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  try {
    return await Promise.race([outcome, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
