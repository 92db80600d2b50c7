import type { Migration } from './migration.js';

/**
 * What documents are found by: one segment for each, beside its content. `version` is the agent's knowledge
 * version that brought it, so that a reader asks for what is newer than what it has. `analysis` says by which
 * rules it was made: a sweep finds those that are older.
 */
export const retrieval: Migration = {
  name: '004-retrieval',
  up: ({ id, ascii, bytes, table }) => [
    `CREATE TABLE document_terms (document_id ${id} PRIMARY KEY, agent_id ${id} NOT NULL, version INTEGER NOT NULL,
      analysis INTEGER NOT NULL, source_type ${ascii(16)} NOT NULL, segment ${bytes} NOT NULL) ${table}`,
    // Ends in the id, so that which documents there are is read from the index alone.
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
