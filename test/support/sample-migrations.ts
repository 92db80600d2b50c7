import { migrations } from '../../adapters/sequelize/migrations/migrate.js';
import type { Migration } from '../../adapters/sequelize/migrations/migration.js';

/** The migrations, and two that change tables with rows. */
export const sampleMigrations: Migration[] = [
  ...migrations,
  {
    name: '901-columns',
    up: ({ ascii }) => [
      `ALTER TABLE workspaces ADD COLUMN region ${ascii(16)} NOT NULL DEFAULT 'eu'`,
      'CREATE INDEX workspaces_region ON workspaces (region, id)',
      `UPDATE workspaces SET region = 'us' WHERE region = 'eu'`,
    ],
  },
  {
    name: '902-table',
    up: ({ id, ascii, table }) => [
      `CREATE TABLE regions (workspace_id ${id} PRIMARY KEY, region ${ascii(16)} NOT NULL) ${table}`,
      `INSERT INTO regions (workspace_id, region)
        SELECT id, region FROM workspaces WHERE NOT EXISTS (SELECT 1 FROM regions)`,
    ],
  },
];
