import { type ChildProcess, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server program that the siege starts and stops. */
export interface Engine {
  /** Direct URL, without a proxy. */
  url: string;
  host: string;
  port: number;
  /** Stops it: `term` shuts it down cleanly, `kill` simulates a power loss. */
  stop(how: 'term' | 'kill'): Promise<void>;
  /** Restarts it on the same data; resolves when it answers. */
  start(): Promise<void>;
}

/** The program is missing. The message says what to install. */
export class ProgramMissing extends Error {}

/** Returns the first of these programs that can be run. */
export function findProgram(candidates: string[], install: string): string {
  const found = candidates.find((program) => spawnSync('which', [program]).status === 0);
  if (found === undefined) throw new ProgramMissing(`${candidates.at(-1)} is missing: install ${install}`);
  return found;
}

const START_MS = 120_000;

/** Waits until `probe` succeeds; rejects if the program exits first. */
export async function answering(
  what: string,
  child: ChildProcess,
  probe: () => Promise<unknown>,
): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    try {
      await probe();
      return;
    } catch (error) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${what} ended before it answered; its log is beside its data`, { cause: error });
      if (Date.now() > deadline) throw new Error(`${what} does not answer`, { cause: error });
    }
    await sleep(100);
  }
}
