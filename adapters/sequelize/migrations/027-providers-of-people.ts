import type { Migration } from './migration.js';

/** Sessions whose provider has asked for a second factor, and people whom a provider must not make members again. */
export const providersOfPeople: Migration = {
  name: '027-providers-of-people',
  up: ({ id, ascii, table }) => [
    'ALTER TABLE sessions ADD COLUMN trusted BOOLEAN NOT NULL DEFAULT 0',
    `CREATE TABLE removed_members (workspace_id ${id} NOT NULL, person_hash ${ascii(64)} NOT NULL,
      PRIMARY KEY (workspace_id, person_hash)) ${table}`,
  ],
};
