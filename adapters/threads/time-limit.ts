import { Script } from 'node:vm';

/** The time was up. */
export class TimeUp extends Error {}

const script = new Script('cadreWork()');

/**
 * Runs `work`, at most `ms` milliseconds. Throws TimeUp, also out of the middle of a regular expression; the thread
 * lives on. Code that V8 compiles is not interrupted before it ends.
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
