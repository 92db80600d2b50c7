import type { Migration } from './migration.js';

/** Hashes of the words of each message, for the search in conversations, and an index for the list by feedback. */
export const messageWords: Migration = {
  name: '022-message-words',
  up: ({ id, bytes, table }) => [
    `CREATE TABLE message_words (agent_id ${id} NOT NULL, conversation_id ${id} NOT NULL, message_id BIGINT NOT NULL,
      words ${bytes} NOT NULL, PRIMARY KEY (agent_id, conversation_id, message_id)) ${table}`,
    'CREATE INDEX messages_feedback ON messages (agent_id, feedback, conversation_id)',
  ],
  down: ({ dropIndex }) => [dropIndex('messages_feedback', 'messages'), 'DROP TABLE message_words'],
};
