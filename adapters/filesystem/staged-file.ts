import { randomInt } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file on its way: nobody sees it under its name before it is whole and safe on the disk. */
export interface StagedFile {
  /** Resolves when the bytes are with the operating system, so a caller that waits never piles them up. */
  write(bytes: Uint8Array): Promise<void>;
  /** Survives a power cut from here on. Replaces what has that name. */
  commit(name: string): Promise<void>;
  /** Idempotent, and fine after a failed commit. */
  discard(): Promise<void>;
}

/** Starts to write `temporary`, which must be new and on the same file system as the final name. */
export async function stageFile(temporary: string): Promise<StagedFile> {
  const handle = await open(temporary, 'wx', 0o640);
  return {
    write: (bytes) => handle.appendFile(bytes),
    async commit(name) {
      await handle.utimes(new Date(), versionStamp());
      await handle.sync();
      await handle.close();
      await rename(temporary, name);
      await syncFolder(dirname(name));
    },
    async discard() {
      await handle.close().catch(() => undefined);
      await rm(temporary, { force: true });
    },
  };
}

/**
 * Now in Unix seconds, with random microseconds: it makes the time of modification a version mark. The clock of a file
 * system alone may tick so slowly that two versions of one object get the same time.
 */
const versionStamp = (): number => Math.floor(Date.now() / 1000) + randomInt(1_000_000) / 1_000_000;

/** A new name is only safe when its folder is on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // has no such call
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
