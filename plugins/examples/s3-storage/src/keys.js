import { S3StorageError } from './storage-error.js';

const wellFormed = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const MAX_PATH = 850;
/** Some servers keep each segment of a key as a file name, of which few may be longer than 255 bytes. */
const SEGMENT = 200;

/**
 * Where the object of a path lies. What clients send arrives under one prefix and is kept under another, to which no URL
 * was ever signed. `~` is in no path of Cadre's, so a long segment that was cut can be put together again.
 * @param {string} prefix
 */
export const keysOf = (prefix) => {
  const [arriving, kept] = [`${prefix}/arriving/`, `${prefix}/kept/`];
  /** @param {string} path */
  const cut = (path) => path.replace(new RegExp(`[^/]{${SEGMENT}}(?=[^/])`, 'g'), '$&/~');
  return {
    /** @param {string} path */
    arriving: (path) => arriving + cut(path),
    /** @param {string} path */
    kept: (path) => kept + cut(path),
    all: `${prefix}/`,
    /** @param {string} key */
    pathOf: (key) => key.slice(key.startsWith(kept) ? kept.length : arriving.length).replaceAll('/~', ''),
  };
};

/**
 * Throws STORAGE_FAILED for a path that Cadre would not make: on its way through a URL it could become another object's.
 * @param {string} path
 */
export const checkPath = (path) => {
  const segments = path.split('/');
  if (path.length > MAX_PATH || !wellFormed.test(path) || segments.includes('.') || segments.includes('..'))
    throw new S3StorageError('STORAGE_FAILED', 'not a storage path');
};
