import { randomInt } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file on its way: nobody sees it under its name before it is whole and safe on the disk. */
export interface StagedFile {
  /** Resolves when the bytes are with the operating system, so a caller that waits never piles them up. */
  write(bytes: Uint8Array): Promise<void>;
  /** The bytes are on the disk from here on; nothing is written any more. */
  flush(): Promise<void>;
  /** Survives a power cut from here on. Replaces what has that name. */
  commit(name: string): Promise<void>;
  /** Idempotent, and fine after a commit, failed or not. */
  discard(): Promise<void>;
}

/**
 * Starts to write `temporary`, which must be new and on the same file system as the final name. Each step
 * that waits for the disk also waits for its turn in the event loop, so there are as few as can be.
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
 * Now in Unix seconds, with random microseconds, so that the modification time marks a version. The clock of
 * a file system alone may tick so slowly that two versions of one object get the same time.
 */
const versionStamp = (): number => Math.floor(Date.now() / 1000) + randomInt(1_000_000) / 1_000_000;

/**
 * Opens the folder while `work` does what it can before names change; a new name is only safe once
 * `syncNames` has resolved.
 */
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

/** Nothing depends on when. */
const closeSoon = (opening: Promise<FileHandle>): void =>
  void opening.then((handle) => handle.close()).catch(() => {});
