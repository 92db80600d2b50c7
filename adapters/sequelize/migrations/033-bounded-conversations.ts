import type { Migration } from './migration.js';

const ofResults = `SELECT SUM(OCTET_LENGTH(question) + COALESCE(OCTET_LENGTH(answer), 0) + COALESCE(OCTET_LENGTH(titles), 0))
  FROM evaluation_results WHERE evaluation_results.evaluation_id = evaluations.id`;

/**
 * Counters by workspace of stored conversations and evaluations, for the limit of the plan. `anonymous_at` is the last
 * message of an anonymous visitor's conversation, or the time of this migration: its retention period begins then. A sweep
 * sets it where a process of an older version has not.
 */
export const boundedConversations: Migration = {
  name: '033-bounded-conversations',
  up: ({ id, now }) => [
    `ALTER TABLE conversation_counts ADD COLUMN workspace_id ${id} NULL`,
    {
      table: 'conversation_counts',
      key: 'agent_id',
      set: 'workspace_id = (SELECT agents.workspace_id FROM agents WHERE agents.id = conversation_counts.agent_id)',
    },
    'CREATE INDEX conversation_counts_workspace ON conversation_counts (workspace_id, source, bytes)',
    'ALTER TABLE evaluations ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0',
    'CREATE INDEX evaluations_bytes ON evaluations (workspace_id, bytes)',
    { table: 'evaluations', key: 'id', set: `bytes = COALESCE((${ofResults}), 0)` },
    'ALTER TABLE conversations ADD COLUMN anonymous_at BIGINT NULL',
    {
      table: 'conversations',
      key: 'id',
      set: `anonymous_at = CASE WHEN source = 'widget' AND user_id LIKE 'anon.%' THEN ${now} ELSE NULL END`,
    },
    'CREATE INDEX conversations_anonymous ON conversations (source, anonymous_at, user_id)',
  ],
  down: ({ dropIndex }) => [
    dropIndex('conversations_anonymous', 'conversations'),
    'ALTER TABLE conversations DROP COLUMN anonymous_at',
    dropIndex('evaluations_bytes', 'evaluations'),
    'ALTER TABLE evaluations DROP COLUMN bytes',
    dropIndex('conversation_counts_workspace', 'conversation_counts'),
    'ALTER TABLE conversation_counts DROP COLUMN workspace_id',
  ],
};
