import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Windows has no O_NOFOLLOW and no O_NONBLOCK. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;

/**
 * Reads a regular file of at most `maxBytes`. Throws the system's error, or an error if the file is larger or not
 * regular: a pipe would block the process, and a device may be endless. With `allowsLinks: false`, also throws for a
 * symbolic link.
 */
export function readRegularFile(
  path: string,
  { maxBytes, allowsLinks = true }: { maxBytes: number; allowsLinks?: boolean },
): Buffer {
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (allowsLinks ? 0 : O_NOFOLLOW));
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if (stat.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    // Read a growing file only up to its current size.
    const bytes = Buffer.alloc(stat.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
