import type { Migration } from './migration.js';

/** Pictures for the widgets of agents. */
export const pictures: Migration = {
  name: '025-pictures',
  up: ({ id, ascii, table }) => [
    `CREATE TABLE pictures (hash ${ascii(64)} PRIMARY KEY, agent_id ${id} NOT NULL, workspace_id ${id} NOT NULL,
      type ${ascii(16)} NOT NULL, bytes INTEGER NOT NULL, storage_path ${ascii(255)} NOT NULL, created_at BIGINT NOT NULL) ${table}`,
    'CREATE INDEX pictures_agent ON pictures (agent_id)',
    'CREATE INDEX pictures_workspace ON pictures (workspace_id, bytes)',
  ],
};
