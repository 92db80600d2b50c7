import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates the folder and its parents; existing ones stay unchanged. Throws the file system's error. Node's own
 * `recursive` loops for minutes if the parent exists but cannot hold folders, such as below /proc.
 */
export function makeFolder(folder: string, mode: number): void {
  if (made(folder, mode)) return;
  makeFolder(dirname(folder), mode);
  // Another process may have created it.
  if (!statSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { mode });
}

/** Returns false if the parent is missing. */
function made(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(folder) !== folder) return false;
    // Systems report existing folders differently, such as the root of a read-only disk.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
  return true;
}
