import type { Migration } from './migration.js';

/** The workspaces that a session has asked for, as a JSON list of ids. The audit log has the sign-in in each of them. */
export const enteredWorkspaces: Migration = {
  name: '009-entered-workspaces',
  up: ({ long }) => [`ALTER TABLE sessions ADD COLUMN workspace_ids ${long} NULL`],
};
