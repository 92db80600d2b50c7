import type { Migration } from './migration.js';

/** Outcome and documents of an answer; null for older ones. The index serves the list of conversations by outcome. */
export const answerOutcomes: Migration = {
  name: '016-answer-outcomes',
  up: ({ ascii, long }) => [
    `ALTER TABLE messages ADD COLUMN outcome ${ascii(16)} NULL`,
    `ALTER TABLE messages ADD COLUMN sources ${long} NULL`,
    'CREATE INDEX messages_outcome ON messages (agent_id, outcome, conversation_id)',
  ],
  down: ({ dropIndex }) => [
    dropIndex('messages_outcome', 'messages'),
    'ALTER TABLE messages DROP COLUMN sources',
    'ALTER TABLE messages DROP COLUMN outcome',
  ],
};
