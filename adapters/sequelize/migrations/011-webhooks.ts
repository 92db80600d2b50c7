import type { Migration } from './migration.js';

/** Webhooks of workspaces and their deliveries, which are the outbox. */
export const webhooks: Migration = {
  name: '011-webhooks',
  up: ({ id, ascii, text, long, table }) => [
    `CREATE TABLE webhooks (id ${id} PRIMARY KEY, workspace_id ${id} NOT NULL, url ${text(2048)} NOT NULL, description ${text(255)} NOT NULL,
      events ${long} NOT NULL, enabled BOOLEAN NOT NULL, disabled_reason ${ascii(16)} NULL, secret ${ascii(80)} NOT NULL,
      previous_secret ${ascii(80)} NULL, previous_until BIGINT NULL, failing_since_ms BIGINT NULL, created_at BIGINT NOT NULL) ${table}`,
    'CREATE INDEX webhooks_workspace ON webhooks (workspace_id, id)',
    `CREATE TABLE webhook_deliveries (id ${id} PRIMARY KEY, webhook_id ${id} NOT NULL, workspace_id ${id} NOT NULL, event ${ascii(32)} NOT NULL,
      body ${long} NOT NULL, status ${ascii(16)} NOT NULL, attempts INTEGER NOT NULL, tries INTEGER NOT NULL, due_at_ms BIGINT NOT NULL,
      lease_until_ms BIGINT NULL, expires_at_ms BIGINT NOT NULL, created_at BIGINT NOT NULL, last_attempt_at BIGINT NULL, ended_at BIGINT NULL,
      answer_status INTEGER NULL, answer_body ${text(1024)} NULL, error_code ${ascii(64)} NULL, error_message ${text(500)} NULL) ${table}`,
    'CREATE INDEX webhook_deliveries_workspace ON webhook_deliveries (workspace_id)',
    'CREATE INDEX webhook_deliveries_list ON webhook_deliveries (webhook_id, id)',
    'CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook_id, status, id)',
    'CREATE INDEX webhook_deliveries_status ON webhook_deliveries (webhook_id, status, due_at_ms)',
    'CREATE INDEX webhook_deliveries_due ON webhook_deliveries (status, due_at_ms)',
    'CREATE INDEX webhook_deliveries_lease ON webhook_deliveries (status, lease_until_ms)',
    'CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at)',
  ],
  down: () => ['DROP TABLE webhook_deliveries', 'DROP TABLE webhooks'],
};
