import type { Migration } from './migration.js';

/** Evaluations of agents with the results of their questions, and the questions that agents keep for them. */
export const evaluations: Migration = {
  name: '028-evaluations',
  up: ({ id, ascii, text, long, table }) => [
    `CREATE TABLE evaluations (id ${id} PRIMARY KEY, agent_id ${id} NOT NULL, workspace_id ${id} NOT NULL, name ${text(100)} NULL,
      origin ${ascii(16)} NOT NULL, status ${ascii(16)} NOT NULL, questions INTEGER NOT NULL, created_at BIGINT NOT NULL,
      started_at BIGINT NULL, ended_at BIGINT NULL, lease_token ${id} NULL, due_at_ms BIGINT NOT NULL) ${table}`,
    'CREATE INDEX evaluations_list ON evaluations (agent_id, id)',
    'CREATE INDEX evaluations_due ON evaluations (status, due_at_ms)',
    'CREATE INDEX evaluations_workspace ON evaluations (workspace_id, status, due_at_ms)',
    `CREATE TABLE evaluation_results (evaluation_id ${id} NOT NULL, position INTEGER NOT NULL, agent_id ${id} NOT NULL,
      type ${ascii(32)} NOT NULL, unanswerable BOOLEAN NOT NULL, question_hash ${ascii(32)} NOT NULL, question ${long} NOT NULL,
      verdict ${ascii(16)} NULL, answer ${long} NULL, titles ${long} NULL, error ${ascii(32)} NULL, duration_ms INTEGER NULL,
      tries INTEGER NOT NULL, PRIMARY KEY (evaluation_id, position)) ${table}`,
    'CREATE INDEX evaluation_results_agent ON evaluation_results (agent_id)',
    `CREATE TABLE evaluation_questions (id ${id} PRIMARY KEY, agent_id ${id} NOT NULL, question_hash ${ascii(32)} NOT NULL,
      question ${long} NOT NULL, created_at BIGINT NOT NULL) ${table}`,
    'CREATE UNIQUE INDEX evaluation_questions_once ON evaluation_questions (agent_id, question_hash)',
    'CREATE INDEX evaluation_questions_list ON evaluation_questions (agent_id, id)',
  ],
  down: () => ['DROP TABLE evaluation_questions', 'DROP TABLE evaluation_results', 'DROP TABLE evaluations'],
};
