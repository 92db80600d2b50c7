import type { Migration } from './migration.js';

/**
 * Vectors of documents, for those who have a model that makes them: one row for each document, made when they are
 * asked for. `dimensions` and `vectors` are null until they are there; `due_at` says when they may be asked for
 * (again). An agent's columns say in which space, and up to which knowledge version, all that it knows has vectors.
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
