import { type FSWatcher, watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-error.js';

/** Changes of one save arrive within this time, in milliseconds. */
const GATHER_MS = 500;
/** Pause before another attempt after a failure. */
const AGAIN_MS = 30_000;

/**
 * Calls `work`, and again after each burst of changes in the folder, until the signal is aborted. Changes during the work
 * start it again. Throws what the first call throws; later failures are passed to `onFailure`, and the work is repeated.
 */
export async function watchFolder(
  folder: string,
  {
    work,
    onFailure,
    signal,
  }: { work: () => Promise<void>; onFailure: (error: CliError) => void; signal: AbortSignal },
): Promise<void> {
  let wake: () => void = () => {};
  let isChanged = false;
  let retry: NodeJS.Timeout | undefined;
  const watcher = watched(folder, () => {
    isChanged = true;
    wake();
  });
  watcher.on('error', () => wake());
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    await work();
    while (!signal.aborted) {
      if (!isChanged)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (signal.aborted) return;
      await sleep(GATHER_MS);
      isChanged = false;
      await work().catch((error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        onFailure(error);
        retry = setTimeout(() => {
          isChanged = true;
          wake();
        }, AGAIN_MS);
      });
    }
  } finally {
    clearTimeout(retry);
    watcher.close();
  }
}

function watched(folder: string, onChange: () => void): FSWatcher {
  try {
    return watch(folder, { recursive: true }, onChange);
  } catch (error) {
    throw new CliError(
      'FILE_INVALID',
      `The folder ${folder} cannot be watched: ${(error as Error).message}.`,
    );
  }
}
