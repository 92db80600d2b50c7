import type { Migration } from './migration.js';

/** Index for listing an agent's jobs by type. */
export const jobsByType: Migration = {
  name: '006-jobs-by-type',
  up: () => ['CREATE INDEX jobs_type ON jobs (agent_id, type, id)'],
  down: ({ dropIndex }) => [dropIndex('jobs_type', 'jobs')],
};
