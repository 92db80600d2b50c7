import type { Migration } from './migration.js';

/** Storage of unregistered uploads; the page of a task, so that one fetch serves the tasks that follow it. */
export const openUploadsAndSharedFetches: Migration = {
  name: '003-open-uploads-and-shared-fetches',
  up: ({ id, ascii }) => [
    'ALTER TABLE uploads ADD COLUMN held_bytes BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE uploads ADD COLUMN arriving_bytes BIGINT NOT NULL DEFAULT 0',
    'CREATE INDEX uploads_workspace ON uploads (workspace_id, registered_at)',
    `ALTER TABLE tasks ADD COLUMN page_key ${ascii(64)} NULL`,
    `ALTER TABLE tasks ADD COLUMN follows ${id} NULL`,
    'CREATE INDEX tasks_page ON tasks (agent_id, page_key, status)',
    'CREATE INDEX tasks_follows ON tasks (follows, status)',
    'CREATE INDEX tasks_waiting ON tasks (agent_id, status, follows, due_at_ms, id)',
  ],
  down: ({ dropIndex }) => [
    dropIndex('tasks_waiting', 'tasks'),
    dropIndex('tasks_follows', 'tasks'),
    dropIndex('tasks_page', 'tasks'),
    'ALTER TABLE tasks DROP COLUMN follows',
    'ALTER TABLE tasks DROP COLUMN page_key',
    dropIndex('uploads_workspace', 'uploads'),
    'ALTER TABLE uploads DROP COLUMN arriving_bytes',
    'ALTER TABLE uploads DROP COLUMN held_bytes',
  ],
};
