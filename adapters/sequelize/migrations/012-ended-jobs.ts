import type { Migration } from './migration.js';

/** Index for deleting ended jobs by age. */
export const endedJobs: Migration = {
  name: '012-ended-jobs',
  up: () => ['CREATE INDEX jobs_finished ON jobs (finished_at, agent_id)'],
  down: ({ dropIndex }) => [dropIndex('jobs_finished', 'jobs')],
};
