import type { Migration } from './migration.js';

/** Work that takes several turns: rows of deleted agents, and jobs whose tasks are still being written. */
export const workInBatches: Migration = {
  name: '002-work-in-batches',
  up: ({ id, table }) => [
    `CREATE TABLE remains (agent_id ${id} PRIMARY KEY, workspace_id ${id} NOT NULL) ${table}`,
    `ALTER TABLE jobs ADD COLUMN opened_up_to ${id} NULL`,
    'ALTER TABLE jobs ADD COLUMN tasks_to_come INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX jobs_opening ON jobs (opened_up_to)',
    'CREATE INDEX tasks_status ON tasks (job_id, status, id)',
  ],
  down: ({ dropIndex }) => [
    dropIndex('tasks_status', 'tasks'),
    dropIndex('jobs_opening', 'jobs'),
    'ALTER TABLE jobs DROP COLUMN tasks_to_come',
    'ALTER TABLE jobs DROP COLUMN opened_up_to',
    'DROP TABLE remains',
  ],
};
