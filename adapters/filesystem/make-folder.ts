import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the folder with all its parents; existing ones stay as they are. Throws the file system's error when it
 * cannot. Node's own `recursive` loops for minutes where the parent exists but takes no folder, such as below /proc.
 */
export function makeFolder(folder: string, mode: number): void {
  if (made(folder, mode)) return;
  makeFolder(dirname(folder), mode);
  // Another process may have been faster.
  if (!statSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { mode });
}

/** False when its parent is missing. */
function made(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(folder) !== folder) return false;
    // Systems say different things of what is there already, such as the root of a read-only disk.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
  return true;
}
