import type { Migration } from './migration.js';

/** Contact details that visitors have left. `user_id` is the visitor, and
 * `email_folded` the address in the form in which addresses are compared. */
export const contacts: Migration = {
  name: '012-contacts',
  up: ({ id, ascii, text, long, table }) => [
    `CREATE TABLE contacts (id ${id} PRIMARY KEY, agent_id ${id} NOT NULL, workspace_id ${id} NOT NULL,
      conversation_id ${id} NULL, user_id ${ascii(128)} NOT NULL, name ${text(200)} NULL, email ${text(254)} NULL,
      email_folded ${text(254)} NULL, phone ${text(40)} NULL, message ${long} NULL, consent ${text(500)} NULL, created_at BIGINT NOT NULL) ${table}`,
    'CREATE INDEX contacts_agent ON contacts (agent_id, id)',
    'CREATE INDEX contacts_conversation ON contacts (conversation_id)',
    'CREATE INDEX contacts_user ON contacts (workspace_id, user_id)',
    'CREATE INDEX contacts_email ON contacts (workspace_id, email_folded)',
    'CREATE INDEX contacts_age ON contacts (created_at)',
  ],
};
