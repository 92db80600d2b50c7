import { Script } from 'node:vm';

/** The work exceeded its time limit. */
export class TimeUp extends Error {}

const script = new Script('cadreWork()');

/**
 * Runs `work` for at most `ms` milliseconds. After that it throws TimeUp, even from within a regular expression, and
 * the thread survives. V8 does not interrupt compilation.
 */
export function withinTime<T>(ms: number, work: () => T): T {
  Object.assign(globalThis, { cadreWork: work });
  try {
    return script.runInThisContext({ timeout: ms }) as T;
  } catch (error) {
    const { code } = error as { code?: string };
    throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new TimeUp() : error;
  }
}
