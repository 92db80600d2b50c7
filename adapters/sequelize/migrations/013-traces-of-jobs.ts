import type { Migration } from './migration.js';

/** The span that created a job: later attempts belong to the same trace. */
export const tracesOfJobs: Migration = {
  name: '013-traces-of-jobs',
  up: ({ ascii }) => [`ALTER TABLE jobs ADD COLUMN traceparent ${ascii(55)} NULL`],
  down: () => ['ALTER TABLE jobs DROP COLUMN traceparent'],
};
