import type { Migration } from './migration.js';

/** Pages and files whose last attempt failed: one row for each address or file name. */
export const failures: Migration = {
  name: '017-failures',
  up: ({ id, ascii, text, table }) => [
    `CREATE TABLE failures (id ${id} PRIMARY KEY, agent_id ${id} NOT NULL, type ${ascii(8)} NOT NULL,
      target_hash ${ascii(64)} NOT NULL, name ${text(1024)} NOT NULL, url ${text(2048)} NULL,
      code ${ascii(64)} NOT NULL, reason ${text(1000)} NOT NULL, job_id BIGINT NOT NULL, at BIGINT NOT NULL) ${table}`,
    'CREATE INDEX failures_agent ON failures (agent_id, id)',
    'CREATE UNIQUE INDEX failures_target ON failures (agent_id, target_hash)',
  ],
};
