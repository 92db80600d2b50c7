import type { Migration } from './migration.js';

/** Conversations of an agent in which a visitor waits for a person. */
export const waitingVisitors: Migration = {
  name: '019-waiting-visitors',
  up: () => ['CREATE INDEX conversations_waiting ON conversations (agent_id, waiting_since)'],
};
