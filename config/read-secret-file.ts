import { readRegularFile } from './read-regular-file.js';

const MAX_BYTES = 4096;

/** Returns the secret in a file, without the end of its line. */
export const readSecretFile = (path: string): string =>
  readRegularFile(path, { maxBytes: MAX_BYTES })
    .toString('utf8')
    .replace(/\r?\n$/, '');
