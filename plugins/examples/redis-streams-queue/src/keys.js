/** Names of all keys in Redis, with a common prefix. */

export const WORKERS = 'workers';
export const API = 'api';

/** Owner of returned entries: no consumer has this name, so any consumer may take them. */
export const HANDED_BACK = 'handed-back';

/** @param {string} prefix */
export const keysOf = (prefix) => ({
  tasks: `${prefix}:tasks`,
  events: `${prefix}:events`,
  /** Hash from attempt to entry, so that a repeated publish adds no second entry. */
  open: `${prefix}:open`,
  /** Followed by the name of a consumer; the key expires with its lease. */
  alive: `${prefix}:alive:`,
  health: `${prefix}:health`,
  /** Id of the installation that has claimed the prefix. */
  claim: `${prefix}:installation`,
});

/** @typedef {ReturnType<typeof keysOf>} Keys */
