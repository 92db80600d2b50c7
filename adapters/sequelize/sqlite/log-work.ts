import { type FileHandle, open } from 'node:fs/promises';
import type { Piscina } from 'piscina';
import { logOf } from './file.js';
import type { LogWork } from './write-ahead-log.js';

const IDLE_MS = 10_000;
const LIMIT_MS = 10_000;

const fromSource = import.meta.url.endsWith('.ts');
const filename = new URL(fromSource ? './from-source.mjs' : './checkpoint.thread.js', import.meta.url).href;

/**
 * The work on the log of this database: syncs in the system's own threads, checkpoints in a thread that comes and goes
 * with the work.
 */
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
      // A thread that cannot start leaves what waits for it without an end.
      await (await pool).run(file, { signal: AbortSignal.timeout(LIMIT_MS) });
    },
    async close() {
      await log?.close();
      await (await pool)?.destroy();
    },
  };
}

/** Loaded when there is something to do. */
async function openPool(): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina({
    filename,
    name: 'checkpoint',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });
  // A thread that dies at rest fails nothing; without a listener it would end the process.
  pool.on('error', () => {});
  return pool;
}
