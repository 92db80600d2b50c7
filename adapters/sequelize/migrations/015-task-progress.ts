import type { Migration } from './migration.js';

/** How many parts of a task are done, as JSON: pages of a scanned file. */
export const taskProgress: Migration = {
  name: '015-task-progress',
  up: ({ long }) => [`ALTER TABLE tasks ADD COLUMN progress ${long} NULL`],
};
