import { type FileHandle, open } from 'node:fs/promises';
import type { Piscina } from 'piscina';
import { logOf } from './file.js';
import type { LogWork } from './write-ahead-log.js';

const IDLE_MS = 10_000;
const LIMIT_MS = 10_000;

const fromSource = import.meta.url.endsWith('.ts');
const filename = new URL(fromSource ? './from-source.mjs' : './checkpoint.thread.js', import.meta.url).href;

/** Syncs the log with the system's threads, and checkpoints it in a thread that is started on demand. */
export function openLogWork(file: string): LogWork & { close(): Promise<void> } {
  let log: FileHandle | undefined;
  let pool: Promise<Piscina> | undefined;

  return {
    async sync() {
      try {
        log ??= await open(logOf(file), 'r+');
        await log.datasync();
      } catch (error) {
        const { message } = error as Error;
        throw new Error(
          `the disk did not take what was written to the database: ${message}; restart when it works again`,
          { cause: error },
        );
      }
    },
    async checkpoint() {
      pool ??= openPool().catch((error: unknown) => {
        pool = undefined;
        throw error;
      });
      // If the thread cannot start, its callers would wait forever.
      await (await pool).run(file, { signal: AbortSignal.timeout(LIMIT_MS) });
    },
    async close() {
      await log?.close();
      await (await pool)?.destroy();
    },
  };
}

/** Loaded on demand. */
async function openPool(): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina({
    filename,
    name: 'checkpoint',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });
  // An idle thread that dies fails no call; without a listener, it would end the process.
  pool.on('error', () => {});
  return pool;
}
