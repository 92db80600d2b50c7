import type { Migration } from './migration.js';

/**
 * Answers of requests with an Idempotency-Key, in the table of chat keys. `agent_id` is the workspace if a request
 * belongs to no agent; `conversation_id` is empty if it belongs to no conversation.
 */
export const keptAnswers: Migration = {
  name: '008-kept-answers',
  up: ({ long }) => [`ALTER TABLE chat_keys ADD COLUMN answer ${long} NULL`],
  down: () => ['DELETE FROM chat_keys WHERE answer IS NOT NULL', 'ALTER TABLE chat_keys DROP COLUMN answer'],
};
