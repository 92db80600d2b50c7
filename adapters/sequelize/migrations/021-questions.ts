import type { Migration } from './migration.js';

/**
 * Hash of the question of an answer, and the questions that were marked as resolved: up to the message `message_id`.
 * One index serves the newest questions with an outcome, the other the newest answer to a question.
 */
export const questions: Migration = {
  name: '021-questions',
  up: ({ id, ascii, table }) => [
    `ALTER TABLE messages ADD COLUMN question_hash ${ascii(32)} NULL`,
    'CREATE INDEX messages_asked ON messages (agent_id, outcome, created_at, question_hash)',
    'CREATE INDEX messages_question ON messages (agent_id, question_hash, outcome)',
    `CREATE TABLE resolved_questions (agent_id ${id} NOT NULL, question_hash ${ascii(32)} NOT NULL, message_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL, PRIMARY KEY (agent_id, question_hash)) ${table}`,
    'CREATE INDEX resolved_questions_age ON resolved_questions (created_at)',
  ],
  down: ({ dropIndex }) => [
    'DROP TABLE resolved_questions',
    dropIndex('messages_question', 'messages'),
    dropIndex('messages_asked', 'messages'),
    'ALTER TABLE messages DROP COLUMN question_hash',
  ],
};
