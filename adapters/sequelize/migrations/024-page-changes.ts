import type { Migration } from './migration.js';

/** The last changes of the text of each page. */
export const pageChanges: Migration = {
  name: '024-page-changes',
  up: ({ id, long, table }) => [
    `CREATE TABLE page_changes (id ${id} PRIMARY KEY, document_id ${id} NOT NULL, agent_id ${id} NOT NULL,
      at BIGINT NOT NULL, added INTEGER NOT NULL, removed INTEGER NOT NULL, diff ${long} NOT NULL) ${table}`,
    'CREATE INDEX page_changes_document ON page_changes (document_id, id)',
    'CREATE INDEX page_changes_age ON page_changes (at)',
  ],
};
