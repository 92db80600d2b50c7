import type { Migration } from './migration.js';

/** Remains of deleted agents are looked for again at `due_at`, because a concurrent write may leave rows behind. */
export const laterRemains: Migration = {
  name: '031-later-remains',
  up: () => [
    'ALTER TABLE remains ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE remains ADD COLUMN passes INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX remains_due ON remains (due_at, agent_id)',
  ],
  down: ({ dropIndex }) => [
    dropIndex('remains_due', 'remains'),
    'ALTER TABLE remains DROP COLUMN passes',
    'ALTER TABLE remains DROP COLUMN due_at',
  ],
};
