import type { Migration } from './migration.js';

/** The page and the language of visitors that have left contact details, for e-mails to them. */
export const originsOfContacts: Migration = {
  name: '032-origins-of-contacts',
  up: ({ ascii }) => [
    `ALTER TABLE contacts ADD COLUMN origin ${ascii(300)} NULL`,
    `ALTER TABLE contacts ADD COLUMN language ${ascii(16)} NULL`,
  ],
};
