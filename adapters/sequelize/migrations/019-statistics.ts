import type { Migration } from './migration.js';

/**
 * Counters of an agent by day, sharded so that concurrent answers do not wait for each other, and the users counted
 * on the last days. `counted_on` is the day in whose counters an answer is included.
 */
export const statistics: Migration = {
  name: '019-statistics',
  up: ({ id, ascii, table }) => [
    `CREATE TABLE agent_counts (agent_id ${id} NOT NULL, counted_on ${ascii(10)} NOT NULL, kind ${ascii(16)} NOT NULL,
      name ${ascii(64)} NOT NULL, shard INTEGER NOT NULL, n BIGINT NOT NULL,
      PRIMARY KEY (agent_id, counted_on, kind, name, shard)) ${table}`,
    'CREATE INDEX agent_counts_day ON agent_counts (counted_on)',
    `CREATE TABLE agent_visitors (agent_id ${id} NOT NULL, counted_on ${ascii(10)} NOT NULL, user_id ${ascii(128)} NOT NULL,
      PRIMARY KEY (agent_id, counted_on, user_id)) ${table}`,
    'CREATE INDEX agent_visitors_day ON agent_visitors (counted_on)',
    `ALTER TABLE messages ADD COLUMN counted_on ${ascii(10)} NULL`,
  ],
  down: () => [
    'ALTER TABLE messages DROP COLUMN counted_on',
    'DROP TABLE agent_visitors',
    'DROP TABLE agent_counts',
  ],
};
