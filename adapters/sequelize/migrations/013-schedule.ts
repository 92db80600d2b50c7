import type { Migration } from './migration.js';

/** The schedule of automatic retraining. `scheduled` jobs leave out the pages that are not read by schedule. */
export const schedule: Migration = {
  name: '013-schedule',
  up: () => [
    'ALTER TABLE agents ADD COLUMN retrain_due_at BIGINT NULL',
    'ALTER TABLE agents ADD COLUMN retrained_at BIGINT NULL',
    'ALTER TABLE jobs ADD COLUMN scheduled INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX agents_schedule ON agents (retrain_due_at, retrain_base_at)',
  ],
};
