import type { Migration } from './migration.js';

/** The audit log: one row per change. */
export const audit: Migration = {
  name: '006-audit',
  up: ({ id, ascii, text, long, table }) => [
    `CREATE TABLE audit (id ${id} PRIMARY KEY, workspace_id ${id} NOT NULL, at BIGINT NOT NULL,
      actor_type ${ascii(8)} NOT NULL, actor_id ${id} NULL, actor_label ${text(200)} NOT NULL,
      action ${ascii(64)} NOT NULL, target_type ${ascii(24)} NOT NULL, target_id ${text(128)} NULL,
      target_label ${text(200)} NULL, agent_id ${id} NULL, changes ${long} NOT NULL,
      request_id ${ascii(128)} NULL, address ${ascii(64)} NULL) ${table}`,
    'CREATE INDEX audit_list ON audit (workspace_id, id)',
    'CREATE INDEX audit_actor ON audit (workspace_id, actor_id, id)',
    'CREATE INDEX audit_action ON audit (workspace_id, action, id)',
    'CREATE INDEX audit_agent ON audit (workspace_id, agent_id, id)',
    'CREATE INDEX audit_age ON audit (at)',
  ],
};
