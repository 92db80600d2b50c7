import type { Migration } from './migration.js';

/**
 * Index terms: one segment per document. `version` is the agent's knowledge version that added it, so that a reader can
 * ask for changes. `analysis` is the version of the analyser, so that a sweep finds outdated segments.
 */
export const retrieval: Migration = {
  name: '004-retrieval',
  up: ({ id, ascii, bytes, table }) => [
    `CREATE TABLE document_terms (document_id ${id} PRIMARY KEY, agent_id ${id} NOT NULL, version INTEGER NOT NULL,
      analysis INTEGER NOT NULL, source_type ${ascii(16)} NOT NULL, segment ${bytes} NOT NULL) ${table}`,
    // Ends in the id, so that the index alone can list the documents.
    'CREATE INDEX document_terms_version ON document_terms (agent_id, version, document_id)',
    'ALTER TABLE agents ADD COLUMN knowledge_version INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE agents ADD COLUMN removals INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE agents ADD COLUMN analysis INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX agents_analysis ON agents (analysis, id)',
  ],
  down: ({ dropIndex }) => [
    dropIndex('agents_analysis', 'agents'),
    'ALTER TABLE agents DROP COLUMN analysis',
    'ALTER TABLE agents DROP COLUMN removals',
    'ALTER TABLE agents DROP COLUMN knowledge_version',
    'DROP TABLE document_terms',
  ],
};
