import type { Piscina } from 'piscina';

const IDLE_MS = 10_000;

interface OneThread<Task, Result> {
  /** Rejects as the task does, and with an AbortError if it has not ended in time. */
  run(task: Task): Promise<Result>;
  close(): Promise<void>;
}

const fromSource = import.meta.url.endsWith('.ts');

/** A thread that starts on demand and ends when idle. `name` is the exported function that executes a task. */
export function oneThread<Task, Result>(
  module: `${string}.thread`,
  name: string,
  limitMs: number,
): OneThread<Task, Result> {
  const filename = new URL(fromSource ? './from-source.mjs' : `./${module}.js`, import.meta.url).href;
  let pool: Promise<Piscina> | undefined;

  /** Loads the library with the first task. */
  async function openPool(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    const opened = new Piscina({ filename, name, minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS });
    // An idle thread that dies fails no call; without a listener, it would end the process.
    opened.on('error', () => {});
    return opened;
  }

  return {
    async run(task) {
      pool ??= openPool().catch((error: unknown) => {
        pool = undefined;
        throw error;
      });
      // If the thread cannot start, its callers would wait forever.
      return (await pool).run(task, { signal: AbortSignal.timeout(limitMs) });
    },
    async close() {
      await (await pool)?.destroy();
    },
  };
}
