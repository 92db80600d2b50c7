import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ports/log.port.js';

export interface Sweep {
  name: string;
  /** Pause between two runs, in milliseconds. */
  everyMs: number;
  /** True when there may be more to do at once. */
  run(): Promise<boolean>;
}

export interface Sweeper {
  stop(): Promise<void>;
}

/**
 * Runs each sweep over and over: what the database shows as undone gets done, even if the process that was to
 * do it has died. Sweeps run in every API process; each finds work that is safe to be found twice.
 */
export function startSweeps(sweeps: Sweep[], log: Log): Sweeper {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each sweep waits for it.
  setMaxListeners(0, signal);

  async function loop(sweep: Sweep): Promise<void> {
    while (!signal.aborted) {
      let more = false;
      try {
        more = await sweep.run();
      } catch (error) {
        log.warn({ err: error, sweep: sweep.name }, 'sweep failed; it runs again');
      }
      if (!more) await pause(sweep);
    }
  }

  /** Random, so that processes which started together do not sweep together for ever. Ends early when we stop. */
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
