import type { Migration } from './migration.js';

/** `once_key` names an e-mail that is sent once only, such as the one of a day to a member. Null for others. */
export const dailyMails: Migration = {
  name: '010-daily-mails',
  up: ({ ascii }) => [
    `ALTER TABLE mails ADD COLUMN once_key ${ascii(96)} NULL`,
    'CREATE UNIQUE INDEX mails_once ON mails (once_key)',
  ],
};
