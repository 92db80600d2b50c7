import type { Migration } from './migration.js';

/**
 * Requests for a person, and the inbox. `inbox_place` orders the conversations of a state, `inbox_changed_at_ms` is 0 for
 * conversations that only the agent has answered. `offer` is null for answers of earlier versions.
 */
export const requests: Migration = {
  name: '022-requests',
  up: ({ id, ascii, text, table }) => [
    `ALTER TABLE conversations ADD COLUMN reason ${text(500)} NULL`,
    'ALTER TABLE conversations ADD COLUMN unread INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE conversations ADD COLUMN inbox_place BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE conversations ADD COLUMN inbox_changed_at_ms BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE messages ADD COLUMN offer BOOLEAN NULL',
    `UPDATE conversations SET inbox_place = COALESCE(waiting_since, 100000000000 - state_since)
      WHERE state IS NOT NULL AND inbox_place = 0`,
    `UPDATE conversations SET unread = (SELECT COUNT(*) FROM messages AS asked
        WHERE asked.conversation_id = conversations.id AND asked.role = 'user' AND asked.id >
          COALESCE((SELECT MAX(said.id) FROM messages AS said
            WHERE said.conversation_id = conversations.id AND said.author IS NOT NULL), 0))
      WHERE state = 'human' AND unread = 0`,
    'CREATE INDEX conversations_inbox ON conversations (state, workspace_id, inbox_place, id)',
    'CREATE INDEX conversations_inbox_changed ON conversations (inbox_changed_at_ms, id)',
    `CREATE TABLE inbox_readers (id ${id} PRIMARY KEY, type ${ascii(8)} NOT NULL, workspace_id ${id} NOT NULL,
      seen_at BIGINT NOT NULL) ${table}`,
    'CREATE INDEX inbox_readers_workspace ON inbox_readers (workspace_id, seen_at)',
    'CREATE INDEX inbox_readers_age ON inbox_readers (seen_at)',
  ],
};
