import type { Migration } from './migration.js';

/**
 * Answers of requests with an Idempotency-Key, beside the keys of chats: `agent_id` is the workspace where a
 * request belongs to no agent, and `conversation_id` is empty where it belongs to no conversation.
 */
export const keptAnswers: Migration = {
  name: '008-kept-answers',
  up: ({ long }) => [`ALTER TABLE chat_keys ADD COLUMN answer ${long} NULL`],
  down: () => ['DELETE FROM chat_keys WHERE answer IS NOT NULL', 'ALTER TABLE chat_keys DROP COLUMN answer'],
};
