import type { Migration } from './migration.js';

/** Copies of agents: those in progress, and what completed ones left out. */
export const copies: Migration = {
  name: '026-copies',
  up: ({ id, ascii, text, long, table }) => [
    `CREATE TABLE agent_copies (agent_id ${id} PRIMARY KEY, source_id ${id} NOT NULL, workspace_id ${id} NOT NULL,
      name ${text(255)} NOT NULL, url ${text(2048)} NULL, settings ${long} NOT NULL, left_out ${long} NOT NULL,
      actor ${long} NOT NULL, job_id BIGINT NOT NULL, status ${ascii(8)} NOT NULL, last_document_id ${id} NULL,
      copied_up_to ${id} NULL, copied INTEGER NOT NULL, bytes_left BIGINT NOT NULL, tries INTEGER NOT NULL,
      lease_token ${id} NULL, lease_until_ms BIGINT NOT NULL, created_at BIGINT NOT NULL) ${table}`,
    'CREATE INDEX agent_copies_due ON agent_copies (status, lease_until_ms)',
  ],
};
