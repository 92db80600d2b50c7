import type { Migration } from './migration.js';

/** Recipients of automations, kept for longer than their messages, so that each person gets a message once. */
export const channelRecipients: Migration = {
  name: '024-channel-recipients',
  up: ({ id, ascii, table }) => [
    `CREATE TABLE channel_recipients (agent_id ${id} NOT NULL, target_key ${ascii(64)} NOT NULL, account_id ${ascii(64)} NOT NULL,
      person_id ${ascii(64)} NOT NULL, delivery_id ${id} NOT NULL, PRIMARY KEY (agent_id, target_key)) ${table}`,
    'CREATE INDEX channel_recipients_person ON channel_recipients (account_id, person_id)',
    'CREATE INDEX channel_recipients_delivery ON channel_recipients (delivery_id)',
    `INSERT INTO channel_recipients (agent_id, target_key, account_id, person_id, delivery_id)
      SELECT agent_id, once_key, account_id, COALESCE(person_id, ''), id FROM channel_messages
        WHERE kind = 'automation' AND once_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM channel_recipients)`,
  ],
  down: () => ['DROP TABLE channel_recipients'],
};
