/** Names of everything in Redis, all behind one prefix. */

export const WORKERS = 'workers';
export const API = 'api';

/** Owner of entries that were given back: nobody has this name, so anybody may take them. */
export const HANDED_BACK = 'handed-back';

/** @param {string} prefix */
export const keysOf = (prefix) => ({
  tasks: `${prefix}:tasks`,
  events: `${prefix}:events`,
  /** Hash: which entry holds an attempt, so that publishing it again adds no second one. */
  open: `${prefix}:open`,
  /** Followed by the name of a consumer; the key lives as long as its lease. */
  alive: `${prefix}:alive:`,
  health: `${prefix}:health`,
  /** Id of the installation that has claimed the prefix. */
  claim: `${prefix}:installation`,
});

/** @typedef {ReturnType<typeof keysOf>} Keys */
