import type { Migration } from './migration.js';

/** Encrypted secrets of agents, and the messages of visitors by workspace and day. */
export const visitors: Migration = {
  name: '017-visitors',
  up: ({ id, ascii, bytes, table }) => [
    `CREATE TABLE agent_secrets (agent_id ${id} NOT NULL, name ${ascii(16)} NOT NULL, id ${id} NOT NULL, secret ${bytes} NOT NULL,
      previous_secret ${bytes} NULL, previous_until BIGINT NULL, request_hash ${ascii(64)} NULL, created_at BIGINT NOT NULL,
      PRIMARY KEY (agent_id, name)) ${table}`,
    `CREATE TABLE visitor_counts (workspace_id ${id} NOT NULL, counted_on ${ascii(16)} NOT NULL, shard INTEGER NOT NULL, messages BIGINT NOT NULL,
      PRIMARY KEY (workspace_id, counted_on, shard)) ${table}`,
    'CREATE INDEX visitor_counts_day ON visitor_counts (counted_on)',
  ],
  down: () => ['DROP TABLE visitor_counts', 'DROP TABLE agent_secrets'],
};
