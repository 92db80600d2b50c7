import type { Migration } from './migration.js';

/**
 * States of conversations of the widget and of social platforms: the agent or a person answers. Conversations of the API have
 * no state. A pause of the agent in a social conversation becomes the state `human`; without an end, it had the largest
 * integer that JSON represents exactly.
 */
export const handover: Migration = {
  name: '011-handover',
  up: ({ id, ascii, text }) => [
    `ALTER TABLE conversations ADD COLUMN state ${ascii(16)} NULL`,
    'ALTER TABLE conversations ADD COLUMN state_since BIGINT NOT NULL DEFAULT 0',
    `ALTER TABLE conversations ADD COLUMN assignee_type ${ascii(8)} NULL`,
    `ALTER TABLE conversations ADD COLUMN assignee_id ${id} NULL`,
    `ALTER TABLE conversations ADD COLUMN assignee_name ${text(255)} NULL`,
    `ALTER TABLE conversations ADD COLUMN shown_name ${text(255)} NULL`,
    'ALTER TABLE conversations ADD COLUMN waiting_since BIGINT NULL',
    'ALTER TABLE conversations ADD COLUMN human_until_ms BIGINT NULL',
    'ALTER TABLE conversations ADD COLUMN position BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE conversations ADD COLUMN state_position BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE conversations ADD COLUMN typing_visitor_ms BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE conversations ADD COLUMN typing_human_ms BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE messages ADD COLUMN position BIGINT NULL',
    `ALTER TABLE messages ADD COLUMN author ${text(1000)} NULL`,
    'CREATE INDEX conversations_human ON conversations (human_until_ms)',
    `UPDATE conversations SET state = 'agent', state_since = created_at WHERE source <> 'api' AND state IS NULL`,
    `UPDATE conversations SET state = 'human', state_since = updated_at, human_until_ms =
        (SELECT NULLIF(MAX(paused_until_ms), ${Number.MAX_SAFE_INTEGER}) FROM channel_threads
          WHERE conversation_id = conversations.id)
      WHERE source = 'social' AND state = 'agent'
      AND id IN (SELECT conversation_id FROM channel_threads WHERE paused_until_ms > 0)`,
  ],
};

/** The state of the conversation replaces the pause of the thread. */
export const withoutPauses: Migration = {
  name: '011-without-pauses',
  up: ({ dropIndex }) => [
    dropIndex('channel_threads_paused', 'channel_threads'),
    'ALTER TABLE channel_threads DROP COLUMN paused_until_ms',
  ],
};
