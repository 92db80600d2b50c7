import { type FileHandle, open } from 'node:fs/promises';
import type { checkpoint } from './checkpoint.thread.js';
import { logOf } from './file.js';
import { oneThread } from './one-thread.js';
import type { LogWork } from './write-ahead-log.js';

const LIMIT_MS = 10_000;

/** Syncs the log with the system's threads, and checkpoints it in a thread. */
export function openLogWork(file: string): LogWork & { close(): Promise<void> } {
  let log: FileHandle | undefined;
  const thread = oneThread<string, ReturnType<typeof checkpoint>>(
    'checkpoint.thread',
    'checkpoint',
    LIMIT_MS,
  );

  return {
    async sync() {
      try {
        log ??= await open(logOf(file), 'r+');
        await log.datasync();
      } catch (error) {
        const { message } = error as Error;
        throw new Error(
          `the database could not be written to disk: ${message}; restart when the disk works again`,
          { cause: error },
        );
      }
    },
    checkpoint: () => thread.run(file),
    async close() {
      await log?.close();
      await thread.close();
    },
  };
}
