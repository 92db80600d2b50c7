import type { Migration } from './migration.js';

/**
 * The last e-mail to each member about waiting visitors of an agent, and hashes of addresses that want no e-mails about
 * answers.
 */
export const handoverMails: Migration = {
  name: '023-handover-mails',
  up: ({ id, ascii, table }) => [
    `CREATE TABLE handover_mailed (agent_id ${id} NOT NULL, member_id ${id} NOT NULL, mailed_at BIGINT NOT NULL,
      covers_until BIGINT NOT NULL, PRIMARY KEY (agent_id, member_id)) ${table}`,
    `CREATE TABLE stopped_addresses (workspace_id ${id} NOT NULL, hash ${ascii(64)} NOT NULL,
      PRIMARY KEY (workspace_id, hash)) ${table}`,
  ],
};
