import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates the folder and its parents; existing folders stay unchanged. Throws the file system's error. Not the option
 * `recursive` of Node.js, which loops for minutes if the parent exists but cannot contain folders, as below /proc.
 */
export function makeFolder(folder: string, mode: number): void {
  if (made(folder, mode)) return;
  makeFolder(dirname(folder), mode);
  // Another process may have created the folder since.
  if (!statSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { mode });
}

/** Creates the folder unless it exists. Returns false if the parent is missing. */
function made(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(folder) !== folder) return false;
    // The error for an existing folder depends on the system, for example at the root of a read-only disk.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
  return true;
}
