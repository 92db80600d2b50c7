import { randomInt } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that gets its name only when it is complete and on disk. */
export interface StagedFile {
  /** Resolves when the system has accepted the bytes, for backpressure. */
  write(bytes: Uint8Array): Promise<void>;
  /** Syncs the bytes to disk. No writes may follow. */
  flush(): Promise<void>;
  /** Renames the file and syncs the folder. Replaces an existing file. */
  commit(name: string): Promise<void>;
  /** Idempotent, also after a successful or failed commit. */
  discard(): Promise<void>;
}

/**
 * Opens `temporary`, which must be new and on the same file system as the final name. Uses few steps, because each
 * disk operation also waits for the event loop.
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
 * Current time in Unix seconds with random microseconds, so that modification times are unique per version. The clock
 * of a file system may be so coarse that two versions would get the same time.
 */
const versionStamp = (): number => Math.floor(Date.now() / 1000) + randomInt(1_000_000) / 1_000_000;

/** Opens the folder concurrently with `work`. Renames are durable once `syncNames` has resolved. */
export async function withFolder<T>(
  folder: string,
  work: (syncNames: () => Promise<void>) => Promise<T>,
): Promise<T> {
  if (process.platform === 'win32') return work(async () => {}); // has no such call
  const opening = open(folder, 'r');
  // Reported by `syncNames`.
  opening.catch(() => {});
  try {
    return await work(async () => (await opening).sync());
  } finally {
    closeSoon(opening);
  }
}

/** Without waiting: nothing depends on it. */
const closeSoon = (opening: Promise<FileHandle>): void =>
  void opening.then((handle) => handle.close()).catch(() => {});
