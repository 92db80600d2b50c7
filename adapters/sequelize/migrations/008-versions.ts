import type { Migration } from './migration.js';

/** Versions of the settings of agents. `bytes` is the size of `settings` and `changes`. */
export const versions: Migration = {
  name: '008-versions',
  up: ({ id, ascii, text, long, table }) => [
    `CREATE TABLE agent_versions (agent_id ${id} NOT NULL, number INTEGER NOT NULL, workspace_id ${id} NOT NULL,
      created_at BIGINT NOT NULL, actor_type ${ascii(8)} NOT NULL, actor_id ${id} NULL,
      actor_label ${text(200)} NOT NULL, origin ${ascii(16)} NOT NULL, restored INTEGER NULL,
      changes ${long} NOT NULL, settings ${long} NOT NULL, bytes INTEGER NOT NULL,
      PRIMARY KEY (agent_id, number)) ${table}`,
    'CREATE INDEX agent_versions_size ON agent_versions (workspace_id, agent_id, bytes)',
    'CREATE INDEX agent_versions_trim ON agent_versions (agent_id, number, bytes)',
  ],
};
