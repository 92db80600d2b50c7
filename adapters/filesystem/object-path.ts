import { createHash } from 'node:crypto';

/**
 * File name of an object: a digest. So no path can lead out of the folder, be too long for the file system,
 * be folder and file at once (`a` and `a/b`), or meet another one where case does not count.
 */
export const fileName = (path: string): string => createHash('sha256').update(path).digest('hex');
