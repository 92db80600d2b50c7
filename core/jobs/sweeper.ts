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
  /** Runs the named sweep soon. */
  poke(name: string): void;
  stop(): Promise<void>;
}

/**
 * Runs each sweep over and over: what is found in the database is done, whoever was to do it and died. Sweeps run in every API process; each
 * finds work that is safe to be found twice.
 */
export function startSweeps(sweeps: Sweep[], log: Log): Sweeper {
  let stopped = false;
  const wakers = new Map<string, () => void>();

  async function loop(sweep: Sweep): Promise<void> {
    while (!stopped) {
      let more = false;
      try {
        more = await sweep.run();
      } catch (error) {
        log.warn({ err: error, sweep: sweep.name }, 'sweep failed; it runs again');
      }
      if (stopped) return;
      if (!more) await pause(sweep);
    }
  }

  async function pause({ name, everyMs }: Sweep): Promise<void> {
    const waking = new AbortController();
    wakers.set(name, () => waking.abort());
    // Processes that started together must not sweep together for ever.
    await sleep(everyMs * (0.75 + Math.random() / 2), undefined, { signal: waking.signal, ref: false }).catch(
      () => {},
    );
  }

  const loops = sweeps.map(loop);
  return {
    poke: (name) => wakers.get(name)?.(),
    async stop() {
      stopped = true;
      for (const wake of wakers.values()) wake();
      await Promise.all(loops);
    },
  };
}
