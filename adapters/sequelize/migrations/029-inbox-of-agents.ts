import type { Migration } from './migration.js';

/** The inbox of one agent, or of the agents to which a member is limited. */
export const inboxOfAgents: Migration = {
  name: '029-inbox-of-agents',
  up: () => ['CREATE INDEX conversations_inbox_agent ON conversations (state, agent_id, inbox_place, id)'],
};
