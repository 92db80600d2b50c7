import type { Migration } from './migration.js';

/**
 * Erasures of persons. `person` is the encrypted id or address, deleted at the end; `person_hash` its HMAC. Tokens of an
 * erased visitor that were issued before `erased_at` are not accepted.
 */
export const erasures: Migration = {
  name: '012-erasures',
  up: ({ id, ascii, long, bytes, table }) => [
    `CREATE TABLE erasures (id ${id} PRIMARY KEY, workspace_id ${id} NOT NULL, kind ${ascii(8)} NOT NULL,
      person ${bytes} NULL, person_hash ${ascii(64)} NOT NULL, agent_ids ${long} NOT NULL,
      status ${ascii(8)} NOT NULL, sources ${long} NOT NULL, created_at BIGINT NOT NULL, ended_at BIGINT NULL,
      lease_until_ms BIGINT NOT NULL) ${table}`,
    'CREATE INDEX erasures_workspace ON erasures (workspace_id)',
    'CREATE INDEX erasures_due ON erasures (status, lease_until_ms)',
    'CREATE INDEX erasures_ended ON erasures (ended_at)',
    `CREATE TABLE erasure_counts (erasure_id ${id} NOT NULL, name ${ascii(24)} NOT NULL, n BIGINT NOT NULL,
      PRIMARY KEY (erasure_id, name)) ${table}`,
    `CREATE TABLE erased_visitors (agent_id ${id} NOT NULL, person_hash ${ascii(64)} NOT NULL,
      erased_at BIGINT NOT NULL, ends_at BIGINT NOT NULL, PRIMARY KEY (agent_id, person_hash)) ${table}`,
    'CREATE INDEX erased_visitors_end ON erased_visitors (ends_at)',
  ],
};
