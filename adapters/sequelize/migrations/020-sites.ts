import type { Migration } from './migration.js';

/** Whole sites: their rules, their pages (the frontier), their readings, and the next fetch from each host. */
export const sites: Migration = {
  name: '020-sites',
  up: ({ id, ascii, long, table }) => [
    `CREATE TABLE sites (id ${id} PRIMARY KEY, agent_id ${id} NOT NULL, url ${ascii(2048)} NOT NULL,
      url_hash ${ascii(64)} NOT NULL, origin ${ascii(300)} NULL, depth INTEGER NOT NULL, max_pages INTEGER NOT NULL,
      include_paths ${long} NOT NULL, exclude_paths ${long} NOT NULL, pages INTEGER NOT NULL, last_job_id BIGINT NULL,
      last_at BIGINT NULL, removal ${ascii(8)} NULL, created_at BIGINT NOT NULL) ${table}`,
    'CREATE UNIQUE INDEX sites_url ON sites (agent_id, url_hash)',
    'CREATE INDEX sites_removal ON sites (removal)',
    `CREATE TABLE site_pages (id ${id} PRIMARY KEY, site_id ${id} NOT NULL, agent_id ${id} NOT NULL,
      url ${ascii(2048)} NOT NULL, url_hash ${ascii(64)} NOT NULL, depth INTEGER NOT NULL, state ${ascii(8)} NOT NULL,
      listed BOOLEAN NOT NULL, pattern ${ascii(64)} NULL, params_key ${ascii(64)} NULL, content_key ${ascii(64)} NULL,
      document_id ${id} NULL, own BOOLEAN NOT NULL, removed BOOLEAN NOT NULL, gone_at BIGINT NULL) ${table}`,
    'CREATE UNIQUE INDEX site_pages_url ON site_pages (site_id, url_hash)',
    'CREATE INDEX site_pages_state ON site_pages (site_id, state, depth, id)',
    'CREATE INDEX site_pages_pattern ON site_pages (site_id, pattern)',
    'CREATE INDEX site_pages_params ON site_pages (site_id, params_key)',
    'CREATE INDEX site_pages_content ON site_pages (site_id, content_key)',
    'CREATE INDEX site_pages_document ON site_pages (agent_id, document_id)',
    `CREATE TABLE site_readings (job_id BIGINT PRIMARY KEY, agent_id ${id} NOT NULL, site_id ${id} NOT NULL,
      state ${long} NOT NULL, pending ${long} NULL) ${table}`,
    'CREATE INDEX site_readings_agent ON site_readings (agent_id)',
    `CREATE TABLE host_pauses (host ${ascii(300)} PRIMARY KEY, next_at_ms BIGINT NOT NULL) ${table}`,
  ],
};
