import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './file-errors.js';
import { checkPath, fileName } from './object-path.js';

/** Half-written files of processes that died. */
const temporaryMaxAgeMs = 24 * 60 * 60 * 1000;
/** Uploads that came when nobody waited for them any more, e.g. after their agent was deleted. Azure's block store forgets after a week, too. */
const incomingMaxAgeMs = 7 * temporaryMaxAgeMs;

/** Where the files of one object lie. Every function throws STORAGE_FAILED for a malformed path. */
export interface Folder {
  /** Folder of sealed uploads and results; nothing in it is ever changed in place. */
  readonly objects: string;
  /** Folder of whole uploads that are not sealed yet. */
  readonly incoming: string;
  object(path: string): string;
  upload(path: string): string;
  /** A fresh name for a file that is being written. */
  temporary(path: string): string;
  /** Files of this object that are being written, by any process. */
  temporaries(path: string): Promise<string[]>;
  /** Removes what nobody will ask for again. */
  sweep(nowMs: number): Promise<void>;
}

/** Makes the folders where they are missing; rejects with the file system's error when it cannot. */
export async function openFolder(root: string): Promise<Folder> {
  const [objects, incoming, temporary] = [
    join(root, 'objects'),
    join(root, 'incoming'),
    join(root, 'temporary'),
  ];
  for (const folder of [objects, incoming, temporary]) await mkdir(folder, { recursive: true, mode: 0o750 });

  const inside = (folder: string, path: string): string => {
    checkPath(path);
    return join(folder, fileName(path));
  };
  return {
    objects,
    incoming,
    object: (path) => inside(objects, path),
    upload: (path) => inside(incoming, path),
    temporary: (path) => `${inside(temporary, path)}.${randomUUID()}`,
    async temporaries(path) {
      checkPath(path);
      const prefix = `${fileName(path)}.`;
      return (await readdir(temporary))
        .filter((name) => name.startsWith(prefix))
        .map((name) => join(temporary, name));
    },
    async sweep(nowMs) {
      await removeOlder(temporary, nowMs - temporaryMaxAgeMs);
      await removeOlder(incoming, nowMs - incomingMaxAgeMs);
    },
  };
}

async function removeOlder(folder: string, thanMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    try {
      const found = await stat(file);
      if (found.isFile() && found.mtimeMs < thanMs) await rm(file, { force: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}
