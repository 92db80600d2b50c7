import type { Migration } from './migration.js';

/**
 * Vectors for installations with an embedding model: one row per document, created when they are requested.
 * `dimensions` and `vectors` are null until they arrive; `due_at` is the time of the next request. The agent's columns
 * hold the space, and the knowledge version up to which all documents have vectors.
 */
export const documentVectors: Migration = {
  name: '010-document-vectors',
  up: ({ id, ascii, bytes, table }) => [
    `CREATE TABLE document_vectors (document_id ${id} PRIMARY KEY, agent_id ${id} NOT NULL, space ${ascii(200)} NOT NULL,
      version INTEGER NOT NULL, chunks INTEGER NOT NULL, due_at BIGINT NOT NULL, dimensions INTEGER NULL, vectors ${bytes} NULL) ${table}`,
    'CREATE INDEX document_vectors_agent ON document_vectors (agent_id, version, chunks)',
    `ALTER TABLE agents ADD COLUMN embedded_as ${ascii(200)} NULL`,
    'ALTER TABLE agents ADD COLUMN embedded_version INTEGER NOT NULL DEFAULT 0',
  ],
  down: () => [
    'ALTER TABLE agents DROP COLUMN embedded_version',
    'ALTER TABLE agents DROP COLUMN embedded_as',
    'DROP TABLE document_vectors',
  ],
};
