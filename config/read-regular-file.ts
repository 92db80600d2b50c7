import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Windows knows neither. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;

/**
 * Reads a file of at most `maxBytes`. Throws, also with the error of the system, if it is larger or no regular file: a
 * pipe would keep the process waiting, and a device may never end. With `allowsLinks: false`, a symbolic link is refused.
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
    // A file that grows is read up to its size of now.
    const bytes = Buffer.alloc(stat.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
