import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Changes of one save arrive within this time, in milliseconds. */
const GATHER_MS = 500;

/** Calls `work` after each burst of changes in the folder, until the signal is aborted. Changes during the work start it again. */
export async function watchFolder(
  folder: string,
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let wake: () => void = () => {};
  let isChanged = false;
  const watcher = watch(folder, { recursive: true, signal }, () => {
    isChanged = true;
    wake();
  });
  // Aborting the signal closes the watcher with an error.
  watcher.on('error', () => wake());
  signal.addEventListener('abort', () => wake(), { once: true });
  while (!signal.aborted) {
    if (!isChanged)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    if (signal.aborted) return;
    await sleep(GATHER_MS);
    isChanged = false;
    await work();
  }
}
