import type { Migration } from './migration.js';

/** Scope, agents and expiry of API keys. Keys from before have the scope `full`, for all agents and for ever. */
export const limitedKeys: Migration = {
  name: '018-limited-keys',
  up: ({ id, ascii, table }) => [
    `ALTER TABLE api_keys ADD COLUMN scope ${ascii(16)} NOT NULL DEFAULT 'full'`,
    'ALTER TABLE api_keys ADD COLUMN limited_to_agents BOOLEAN NOT NULL DEFAULT 0',
    'ALTER TABLE api_keys ADD COLUMN expires_at BIGINT NULL',
    `CREATE TABLE api_key_agents (key_id ${id} NOT NULL, agent_id ${id} NOT NULL, PRIMARY KEY (key_id, agent_id)) ${table}`,
    'CREATE INDEX api_key_agents_agent ON api_key_agents (agent_id)',
  ],
  down: ({ now }) => [
    // The schema before knows no limits: these keys would open everything, for ever.
    `UPDATE api_keys SET revoked_at = ${now}
      WHERE revoked_at IS NULL AND (scope <> 'full' OR limited_to_agents <> 0 OR expires_at IS NOT NULL)`,
    'DROP TABLE api_key_agents',
    'ALTER TABLE api_keys DROP COLUMN expires_at',
    'ALTER TABLE api_keys DROP COLUMN limited_to_agents',
    'ALTER TABLE api_keys DROP COLUMN scope',
  ],
};
