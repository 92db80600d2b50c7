import type { Migration } from './migration.js';

/** E-mails to send, encrypted until they are sent, and the lease of the process that sends them. */
export const mail: Migration = {
  name: '005-mail',
  up: ({ id, ascii, bytes, text, table }) => [
    `CREATE TABLE mails (id ${id} PRIMARY KEY, kind ${ascii(24)} NOT NULL, user_id ${id} NULL,
      address ${text(254)} NOT NULL, name ${text(100)} NOT NULL, content ${bytes} NULL, status ${ascii(8)} NOT NULL,
      urgency INTEGER NOT NULL, tries INTEGER NOT NULL, unclear INTEGER NOT NULL, due_at_ms BIGINT NOT NULL,
      error ${ascii(24)} NULL, created_at BIGINT NOT NULL, ended_at BIGINT NULL) ${table}`,
    'CREATE INDEX mails_due ON mails (status, urgency, due_at_ms)',
    'CREATE INDEX mails_user ON mails (user_id)',
    'CREATE INDEX mails_end ON mails (ended_at)',
    `CREATE TABLE mail_senders (id INTEGER PRIMARY KEY, token ${id} NOT NULL, lease_until_ms BIGINT NOT NULL) ${table}`,
  ],
};
