import { randomInt } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that gets its final name only when it is complete and synced to disk. */
export interface StagedFile {
  /** Appends bytes. Resolves when the system has accepted them, for backpressure. */
  write(bytes: Uint8Array): Promise<void>;
  /** Syncs the bytes to disk. No writes may follow. */
  flush(): Promise<void>;
  /** Renames the file and syncs the folder. Replaces an existing file. */
  commit(name: string): Promise<void>;
  /** Closes and deletes the file, unless it is committed. Idempotent. */
  discard(): Promise<void>;
}

/**
 * Creates the file `temporary`, which must not exist and must be on the file system of the final name. Uses few disk
 * operations, because each also waits for the event loop.
 */
export async function stageFile(temporary: string): Promise<StagedFile> {
  const handle = await open(temporary, 'wx', 0o640);
  let flushed: Promise<void> | null = null;
  let committed = false;

  async function flushNow(): Promise<void> {
    await handle.utimes(new Date(), versionStamp());
    await handle.sync();
    await handle.close();
  }
  const flush = (): Promise<void> => {
    flushed ??= flushNow();
    return flushed;
  };

  return {
    write: (bytes) => handle.appendFile(bytes),
    flush,
    async commit(name) {
      await withFolder(dirname(name), async (syncNames) => {
        await flush();
        await rename(temporary, name);
        committed = true;
        await syncNames();
      });
    },
    async discard() {
      if (committed) return;
      await handle.close().catch(() => undefined);
      await rm(temporary, { force: true });
    },
  };
}

/**
 * Returns the current time in Unix seconds with random microseconds, so that each version of a file has its own
 * modification time. The clock of a file system may be too coarse for that.
 */
const versionStamp = (): number => Math.floor(Date.now() / 1000) + randomInt(1_000_000) / 1_000_000;

/** Opens the folder concurrently with `work`. Renames are durable once `syncNames` has resolved. */
export async function withFolder<T>(
  folder: string,
  work: (syncNames: () => Promise<void>) => Promise<T>,
): Promise<T> {
  if (process.platform === 'win32') return work(async () => {}); // Windows cannot sync folders
  const opening = open(folder, 'r');
  // `syncNames` reports the error.
  opening.catch(() => {});
  try {
    return await work(async () => (await opening).sync());
  } finally {
    closeLater(opening);
  }
}

/** Closes the folder without waiting, because nothing depends on it. */
const closeLater = (opening: Promise<FileHandle>): void =>
  void opening.then((handle) => handle.close()).catch(() => {});
