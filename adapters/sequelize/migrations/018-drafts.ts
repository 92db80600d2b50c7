import type { Migration } from './migration.js';

/** Drafts of settings, one for each agent, and the settings with which an evaluation of a draft asks. */
export const drafts: Migration = {
  name: '018-drafts',
  up: ({ id, long, table }) => [
    `CREATE TABLE agent_drafts (agent_id ${id} PRIMARY KEY, fields ${long} NOT NULL, updated_at BIGINT NOT NULL,
      updated_by ${long} NOT NULL) ${table}`,
    `ALTER TABLE evaluations ADD COLUMN settings ${long} NULL`,
  ],
};
