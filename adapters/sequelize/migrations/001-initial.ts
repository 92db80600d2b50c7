import type { Migration } from './migration.js';

/**
 * All tables. Ids are UUID v7 texts (they sort by age), except job ids, which are one sequence. Every list has an index that ends in
 * its keyset; every sweep has one that starts with what it looks for.
 */
export const initial: Migration = {
  name: '001-initial',
  up: ({ id, text, long, sequence, table }) => [
    `CREATE TABLE meta (name ${text(64)} PRIMARY KEY, value ${long} NOT NULL) ${table}`,
    `CREATE TABLE workspaces (id ${id} PRIMARY KEY, name ${text(255)} NOT NULL, plan ${text(64)} NOT NULL, overrides ${long} NOT NULL,
      agents INTEGER NOT NULL DEFAULT 0, storage_bytes BIGINT NOT NULL DEFAULT 0, created_at BIGINT NOT NULL) ${table}`,
    `CREATE TABLE api_keys (id ${id} PRIMARY KEY, workspace_id ${id} NOT NULL, name ${text(255)} NOT NULL, hint ${text(64)} NOT NULL,
      hash ${text(64)} NOT NULL, created_at BIGINT NOT NULL, last_used_at BIGINT NULL, revoked_at BIGINT NULL) ${table}`,
    'CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash)',
    'CREATE INDEX api_keys_workspace ON api_keys (workspace_id, id)',
    `CREATE TABLE agents (id ${id} PRIMARY KEY, workspace_id ${id} NOT NULL, name ${text(255)} NOT NULL, url ${text(2048)} NULL,
      settings ${long} NOT NULL, version INTEGER NOT NULL, web_crawl INTEGER NOT NULL DEFAULT 0, file_upload INTEGER NOT NULL DEFAULT 0,
      text_snippet INTEGER NOT NULL DEFAULT 0, qna_entry INTEGER NOT NULL DEFAULT 0, jobs INTEGER NOT NULL DEFAULT 0,
      created_at BIGINT NOT NULL, last_trained_at BIGINT NULL, retrain_base_at BIGINT NULL, next_due_at_ms BIGINT NULL) ${table}`,
    'CREATE INDEX agents_workspace ON agents (workspace_id, id)',
    'CREATE INDEX agents_due ON agents (next_due_at_ms)',
    'CREATE INDEX agents_retrain ON agents (retrain_base_at)',
    `CREATE TABLE documents (id ${id} PRIMARY KEY, agent_id ${id} NOT NULL, workspace_id ${id} NOT NULL, source_type ${text(16)} NOT NULL,
      title ${text(1024)} NOT NULL, bytes BIGINT NOT NULL, url ${text(2048)} NULL, url_hash ${text(64)} NULL, storage_path ${text(512)} NULL,
      content_hash ${text(64)} NOT NULL, metadata ${long} NOT NULL, created_at BIGINT NOT NULL, last_crawled_at BIGINT NULL) ${table}`,
    'CREATE INDEX documents_agent ON documents (agent_id, id)',
    'CREATE INDEX documents_type ON documents (agent_id, source_type, id)',
    'CREATE UNIQUE INDEX documents_url ON documents (agent_id, url_hash)',
    `CREATE TABLE document_contents (document_id ${id} PRIMARY KEY, agent_id ${id} NOT NULL, text ${long} NOT NULL,
      chunks ${long} NOT NULL) ${table}`,
    'CREATE INDEX document_contents_agent ON document_contents (agent_id)',
    `CREATE TABLE uploads (path ${text(512)} PRIMARY KEY, agent_id ${id} NOT NULL, workspace_id ${id} NOT NULL, file_name ${text(255)} NOT NULL,
      issued_at BIGINT NOT NULL, registered_at BIGINT NULL, bytes BIGINT NOT NULL DEFAULT 0) ${table}`,
    'CREATE INDEX uploads_agent ON uploads (agent_id)',
    'CREATE INDEX uploads_abandoned ON uploads (registered_at, issued_at)',
    `CREATE TABLE discards (path ${text(512)} PRIMARY KEY, created_at BIGINT NOT NULL) ${table}`,
    'CREATE INDEX discards_age ON discards (created_at)',
    `CREATE TABLE jobs (id ${sequence}, agent_id ${id} NOT NULL, workspace_id ${id} NOT NULL, type ${text(16)} NOT NULL,
      is_retrain BOOLEAN NOT NULL, status ${text(16)} NOT NULL, tasks_count INTEGER NOT NULL, tasks_ended INTEGER NOT NULL,
      tasks_failed INTEGER NOT NULL, request_id ${text(128)} NULL, created_at BIGINT NOT NULL, started_at BIGINT NULL,
      finished_at BIGINT NULL) ${table}`,
    'CREATE INDEX jobs_agent ON jobs (agent_id, id)',
    'CREATE INDEX jobs_active ON jobs (agent_id, status, id)',
    'CREATE INDEX jobs_status ON jobs (status, id)',
    `CREATE TABLE tasks (id ${id} PRIMARY KEY, job_id BIGINT NOT NULL, agent_id ${id} NOT NULL, type ${text(16)} NOT NULL,
      target ${text(2048)} NOT NULL, payload ${long} NOT NULL, document_id ${id} NULL, is_retrain BOOLEAN NOT NULL, status ${text(16)} NOT NULL,
      attempts INTEGER NOT NULL, due_at_ms BIGINT NOT NULL, lease_until_ms BIGINT NULL, published BOOLEAN NOT NULL,
      error_code ${text(64)} NULL, error_message ${text(1024)} NULL) ${table}`,
    'CREATE INDEX tasks_job ON tasks (job_id, id)',
    'CREATE INDEX tasks_agent ON tasks (agent_id, status, due_at_ms)',
    'CREATE INDEX tasks_unpublished ON tasks (status, published, due_at_ms)',
    'CREATE INDEX tasks_lease ON tasks (status, lease_until_ms)',
  ],
  down: () =>
    ['tasks', 'jobs', 'discards', 'uploads', 'document_contents', 'documents', 'agents', 'api_keys', 'workspaces', 'meta'].map(
      (name) => `DROP TABLE ${name}`,
    ),
};
