import type { Migration } from './migration.js';

/** When the text or the title of a source last changed, for lists in this order. */
export const updatedDocuments: Migration = {
  name: '016-updated-documents',
  up: () => [
    'ALTER TABLE documents ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0',
    'UPDATE documents SET updated_at = created_at WHERE updated_at = 0',
  ],
};
