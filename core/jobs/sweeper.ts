import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ports/log.port.js';
import { logSummary } from '../ports/log-summary.js';

export interface Sweep {
  name: string;
  /** Pause between two runs, in milliseconds. */
  everyMs: number;
  /** Returns true to run again without a pause. */
  run(): Promise<boolean>;
  /** Called once after the last run, for example to flush log summaries. */
  end?(): Promise<void>;
}

export interface Sweeper {
  stop(): Promise<void>;
}

/**
 * Runs each sweep periodically. Sweeps find unfinished work in the database, so that it completes even if a process
 * dies. They run in every API process, so the same work may be done twice and must be idempotent.
 */
export function startSweeps(sweeps: Sweep[], log: Log): Sweeper {
  const stopping = new AbortController();
  const { signal } = stopping;
  // One listener per sweep.
  setMaxListeners(0, signal);

  async function loop(sweep: Sweep): Promise<void> {
    const failures = logSummary<{ err: unknown; times: number }>({
      merge: ({ times }, { err }) => ({ err, times: times + 1 }),
      write: ({ err, times }) => log.warn({ err, sweep: sweep.name, times }, 'a sweep failed; it runs again'),
    });
    while (!signal.aborted) {
      let more = false;
      try {
        more = await sweep.run();
      } catch (error) {
        failures.add({ err: error, times: 1 });
      }
      if (!more) await pause(sweep);
    }
    failures.flush();
    await sweep.end?.();
  }

  /** Sleeps with jitter, so that processes do not sweep at the same time. Ends early on stop. */
  const pause = ({ everyMs }: Sweep): Promise<void> =>
    sleep(everyMs * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => {});

  const loops = sweeps.map(loop);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
