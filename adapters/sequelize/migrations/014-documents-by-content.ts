import type { Migration } from './migration.js';

/** Whether an agent holds a content already, for sources that are to be there once. */
export const documentsByContent: Migration = {
  name: '014-documents-by-content',
  up: () => ['CREATE INDEX documents_content ON documents (agent_id, content_hash)'],
  down: ({ dropIndex }) => [dropIndex('documents_content', 'documents')],
};
