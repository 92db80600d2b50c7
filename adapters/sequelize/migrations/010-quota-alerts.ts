import type { Migration } from './migration.js';

/** Warnings that were mailed, and are not repeated until the usage has fallen. */
export const quotaAlerts: Migration = {
  name: '010-quota-alerts',
  up: ({ id, ascii, table }) => [
    `CREATE TABLE quota_alerts (workspace_id ${id} NOT NULL, allowance ${ascii(24)} NOT NULL, percent INTEGER NOT NULL,
      since BIGINT NOT NULL, PRIMARY KEY (workspace_id, allowance, percent)) ${table}`,
  ],
};
