import type { Migration } from './migration.js';

/** Pages that jobs found in sitemaps. */
export const sitemaps: Migration = {
  name: '009-sitemaps',
  up: ({ id, long, table }) => [
    `CREATE TABLE sitemaps (job_id BIGINT PRIMARY KEY, agent_id ${id} NOT NULL, report ${long} NOT NULL, pages ${long} NOT NULL) ${table}`,
    'CREATE INDEX sitemaps_agent ON sitemaps (agent_id)',
  ],
  down: () => ['DROP TABLE sitemaps'],
};
