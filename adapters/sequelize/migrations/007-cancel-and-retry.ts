import type { Migration } from './migration.js';

/** Cancelled jobs, whose cancellation may take several turns; and the job whose failed tasks a job retries. */
export const cancelAndRetry: Migration = {
  name: '007-cancel-and-retry',
  up: () => [
    'ALTER TABLE jobs ADD COLUMN cancelled_at BIGINT NULL',
    'ALTER TABLE jobs ADD COLUMN retry_of BIGINT NULL',
  ],
  down: () => ['ALTER TABLE jobs DROP COLUMN retry_of', 'ALTER TABLE jobs DROP COLUMN cancelled_at'],
};
