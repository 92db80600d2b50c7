import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-error.js';
import { walk } from './folder.js';

/** Time in which all changes of one save arrive, in milliseconds. */
const GATHER_MS = 500;
/** Pause before a retry after a failure, in milliseconds. */
const AGAIN_MS = 30_000;

/**
 * Calls `work`, and calls it again after each burst of changes in the folder, until the signal aborts. Changes during
 * the work trigger another call. Throws what the first call throws. Later failures are passed to `onFailure`, and the
 * work is retried.
 */
export async function watchFolder(
  folder: string,
  {
    work,
    onFailure,
    signal,
    againMs = AGAIN_MS,
  }: {
    work: () => Promise<void>;
    onFailure: (error: CliError) => void;
    signal: AbortSignal;
    againMs?: number;
  },
): Promise<void> {
  let wake: () => void = () => {};
  let isChanged = false;
  let retry: NodeJS.Timeout | undefined;
  let close: () => void = () => {};
  const change = (): void => {
    isChanged = true;
    wake();
  };
  // Each round renews the watchers before it reads the files: a watcher ends with its folder, and a new folder has
  // none.
  const round = async (): Promise<void> => {
    clearTimeout(retry);
    close();
    isChanged = false;
    close = watched(folder, change);
    await work();
  };
  signal.addEventListener('abort', change, { once: true });
  try {
    await round();
    while (!signal.aborted) {
      if (!isChanged)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (signal.aborted) return;
      await sleep(GATHER_MS);
      await round().catch((error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        onFailure(error);
        retry = setTimeout(change, againMs);
      });
    }
  } finally {
    clearTimeout(retry);
    close();
  }
}

/** Watches the folder and its subfolders. Returns a function that stops watching. */
function watched(folder: string, onChange: () => void): () => void {
  const watchers: FSWatcher[] = [];
  const close = (): void => {
    for (const watcher of watchers) watcher.close();
  };
  for (const below of walk(folder).folders)
    try {
      watchers.push(watch(join(folder, below), onChange).on('error', onChange));
    } catch (error) {
      // Skip a folder that has just been deleted: its parent reports the change.
      if (below !== '' && (error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      close();
      throw new CliError(
        'FILE_INVALID',
        `The folder ${join(folder, below)} cannot be watched: ${(error as Error).message}.`,
      );
    }
  return close;
}
