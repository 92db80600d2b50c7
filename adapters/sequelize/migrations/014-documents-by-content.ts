import type { Migration } from './migration.js';

/** Index for finding a document of the agent with the same content, to prevent duplicate sources. */
export const documentsByContent: Migration = {
  name: '014-documents-by-content',
  up: () => ['CREATE INDEX documents_content ON documents (agent_id, content_hash)'],
  down: ({ dropIndex }) => [dropIndex('documents_content', 'documents')],
};
