import { createHash } from 'node:crypto';

/**
 * Returns an object's file name: a digest. So no path can leave the folder, be too long, be both file and folder (`a`
 * and `a/b`), or collide on a case-insensitive file system.
 */
export const fileName = (path: string): string => createHash('sha256').update(path).digest('hex');
