import { S3StorageError } from './storage-error.js';

const wellFormed = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const MAX_PATH = 850;
/** Some servers store each segment of a key as a file name, limited to 255 bytes. */
const SEGMENT = 200;

/**
 * Maps paths to keys. Uploads arrive under one prefix and are kept under another, for which no URL is ever signed. No
 * path of Cadre contains `~`, so long segments can be split and joined again.
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
 * Throws STORAGE_FAILED for a path that Cadre would not make, because URL normalisation could change it to another
 * object's.
 * @param {string} path
 */
export const checkPath = (path) => {
  const segments = path.split('/');
  if (path.length > MAX_PATH || !wellFormed.test(path) || segments.includes('.') || segments.includes('..'))
    throw new S3StorageError('STORAGE_FAILED', 'not a storage path');
};
