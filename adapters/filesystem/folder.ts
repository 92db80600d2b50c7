import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkStoragePath, type ObjectPage } from '../../core/ports/storage.port.js';
import { isMissing } from './file-errors.js';
import { makeFolder } from './make-folder.js';

/**
 * Returns the file name of an object: a digest of its path. So no path can leave the folder, be too long, be both
 * file and folder (`a` and `a/b`), or collide on a case-insensitive file system.
 */
export const fileName = (path: string): string => createHash('sha256').update(path).digest('hex');

/** Age at which partial files of dead processes are deleted. */
const temporaryMaxAgeMs = 24 * 60 * 60 * 1000;
/** Age at which unregistered uploads are deleted, for example those of a deleted agent: a week, as in Azure. */
const incomingMaxAgeMs = 7 * temporaryMaxAgeMs;

/** Maps objects to files. Every function throws STORAGE_FAILED for an invalid object path. */
export interface Folder {
  /** Folder of sealed uploads and results. Its files are never changed in place. */
  readonly objects: string;
  /** Folder of complete uploads that are not sealed yet. */
  readonly incoming: string;
  object(path: string): string;
  upload(path: string): string;
  /** Returns the path of a new partial file. */
  temporary(path: string): string;
  /** Returns the partial files of an object, from all processes. */
  temporaries(path: string): Promise<string[]>;
  /**
   * Records the path of an object for `list`, because the file name is only a digest. Call it before the object is
   * written.
   */
  remember(path: string): Promise<void>;
  forget(path: string): Promise<void>;
  /** Returns a page of the objects that were last written before `beforeMs`. */
  list(options: { beforeMs: number; after: string | null; limit: number }): Promise<ObjectPage>;
  /** Deletes abandoned partial files and unregistered uploads. */
  sweep(nowMs: number): Promise<void>;
}

/** Opens the folder, and creates its subfolders if they are missing. Rejects with the file system's error. */
export async function openFolder(root: string): Promise<Folder> {
  const [objects, incoming, temporary, names] = [
    join(root, 'objects'),
    join(root, 'incoming'),
    join(root, 'temporary'),
    join(root, 'names'),
  ];
  for (const folder of [objects, incoming, temporary, names]) makeFolder(folder, 0o750);

  const inside = (folder: string, path: string): string => {
    checkStoragePath(path);
    return join(folder, fileName(path));
  };
  return {
    objects,
    incoming,
    object: (path) => inside(objects, path),
    upload: (path) => inside(incoming, path),
    temporary: (path) => `${inside(temporary, path)}.${randomUUID()}`,
    async temporaries(path) {
      checkStoragePath(path);
      const prefix = `${fileName(path)}.`;
      return (await readdir(temporary))
        .filter((name) => name.startsWith(prefix))
        .map((name) => join(temporary, name));
    },
    remember: (path) => writeFile(inside(names, path), path, { mode: 0o640 }),
    forget: (path) => rm(inside(names, path), { force: true }),
    async list({ beforeMs, after, limit }) {
      const recorded = (await readdir(names)).sort().filter((name) => after === null || name > after);
      const listed = recorded.slice(0, limit);
      const paths: string[] = [];
      for (const name of listed) {
        const writtenMs = await newest([join(objects, name), join(incoming, name)]);
        if (writtenMs !== null && writtenMs < beforeMs) paths.push(await readFile(join(names, name), 'utf8'));
      }
      return { paths, next: recorded.length > limit ? (listed.at(-1) ?? null) : null };
    },
    async sweep(nowMs) {
      await removeOlder(temporary, nowMs - temporaryMaxAgeMs);
      await removeOlder(incoming, nowMs - incomingMaxAgeMs);
    },
  };
}

/** Returns the latest modification time of these files, in Unix milliseconds; null if none exists. */
async function newest(files: string[]): Promise<number | null> {
  let writtenMs: number | null = null;
  for (const file of files) {
    try {
      writtenMs = Math.max(writtenMs ?? 0, (await stat(file)).mtimeMs);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return writtenMs;
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
