import { createHash } from 'node:crypto';
import type { Connection } from 'mysql2/promise';
import { urlHash } from '../../../adapters/sequelize/tables/documents.js';

/*
 * Tables of a running installation: three workspaces, some thousand rows of everything, most of it ended, and one
 * agent with more than the others.
 */

const ROWS = 3000;
const WORKSPACES = 3;
const NOW_S = 1_800_000_000;
const NOW_MS = NOW_S * 1000;

/** Ids that sort by number, like UUID v7 by age. */
const id = (kind: number, n: number): string =>
  `019f${kind}000-${String(n).padStart(4, '0').slice(-4)}-7000-8000-${String(n).padStart(12, '0')}`;

const workspaceId = (n: number) => id(0, n % WORKSPACES);
/** Every tenth row belongs to agent 0. */
const agentId = (n: number) => id(1, n % 10 === 0 ? 0 : n);
/** Every second task belongs to one big job. */
const BIG_JOB = 200;
const bigJob = (n: number) => (n % 2 === 0 ? BIG_JOB : null);
const keyHash = (n: number) => createHash('sha256').update(`key ${n}`).digest('hex');
const path = (n: number) => `uploads/${id(1, n)}/${n}`;

/** An existing row of each kind. */
export const sample = {
  /** Of the agent. The server makes no plan for missing rows. */
  workspaceId: workspaceId(0),
  agentId: id(1, 0),
  /** Another agent, which a test may delete. */
  deletedId: id(1, 11),
  documentId: id(2, 200),
  actorId: id(6, 1),
  jobId: BIG_JOB,
  taskId: id(3, 200),
  path: path(200),
  keyHash: keyHash(200),
  nowMs: NOW_MS,
};

const types = ['web_crawl', 'web_crawl', 'file_upload', 'text_snippet'];

/** Few tasks are in progress; the rest is history. */
const statusOf = (n: number): string => {
  if (n % 100 < 2) return 'running';
  if (n % 100 < 4) return 'queued';
  if (n % 100 < 10) return 'pending';
  return n % 100 < 20 ? 'failed' : 'completed';
};
const jobStatusOf = (n: number): string => (statusOf(n) === 'queued' ? 'pending' : statusOf(n));

/** Columns of a table, and the values of row n. */
export type FilledTables = Record<string, { columns: string; row: (n: number) => unknown[] }>;

const tables: FilledTables = {
  workspaces: {
    columns: 'id, name, plan, overrides, created_at',
    row: (n) => [id(0, n), `workspace ${n}`, 'business', '{}', NOW_S],
  },
  api_keys: {
    columns: 'id, workspace_id, name, hint, hash, created_at, revoked_at',
    row: (n) => [id(4, n), id(0, n), 'key', 'cadre_…', keyHash(n), NOW_S, n % 3 === 0 ? NOW_S : null],
  },
  agents: {
    columns:
      'id, workspace_id, name, settings, version, created_at, retrain_base_at, retrain_due_at, next_due_at_ms',
    row: (n) => [
      id(1, n),
      workspaceId(n),
      `agent ${n}`,
      '{}',
      1,
      NOW_S,
      n % 10 === 0 ? NOW_S - n : null,
      n % 30 === 0 ? NOW_S - n : null,
      n % 20 === 0 ? NOW_MS - n : null,
    ],
  },
  documents: {
    columns:
      'id, agent_id, workspace_id, source_type, title, bytes, url, url_hash, content_hash, metadata, created_at',
    row: (n) => {
      const type = types[n % 4] ?? 'web_crawl';
      const url = type === 'web_crawl' ? `https://docs.acme.com/${n}` : null;
      const hash = url === null ? null : urlHash(url);
      return [
        id(2, n),
        agentId(n >> 2),
        workspaceId(n),
        type,
        `document ${n}`,
        100,
        url,
        hash,
        'h',
        '{}',
        NOW_S,
      ];
    },
  },
  document_contents: {
    columns: 'document_id, agent_id, text, chunks',
    row: (n) => [id(2, n), agentId(n >> 2), 'What the document says.', '[]'],
  },
  document_terms: {
    columns: 'document_id, agent_id, version, analysis, source_type, segment',
    row: (n) => [id(2, n), agentId(n >> 2), n, 1, types[n % 4], Buffer.from('terms')],
  },
  uploads: {
    columns: 'path, agent_id, workspace_id, file_name, issued_at, registered_at, bytes',
    row: (n) => [path(n), agentId(n), workspaceId(n), 'a.txt', NOW_S - n, n % 5 === 0 ? null : NOW_S, 10],
  },
  remains: { columns: 'agent_id, workspace_id', row: (n) => [id(5, n), workspaceId(n)] },
  discards: { columns: 'path, created_at', row: (n) => [path(n), NOW_S - n] },
  jobs: {
    columns:
      'id, agent_id, workspace_id, type, is_retrain, status, tasks_count, tasks_ended, tasks_failed, created_at',
    row: (n) => [n + 1, agentId(n), workspaceId(n), 'retrain', true, jobStatusOf(n), 1, 0, 0, NOW_S],
  },
  tasks: {
    columns:
      'id, job_id, agent_id, type, target, payload, is_retrain, status, attempts, due_at_ms, lease_until_ms, published',
    row: (n) => {
      const status = statusOf(n);
      const lease = status === 'running' ? NOW_MS - n : null;
      const published = status !== 'pending' && n % 2 === 0;
      return [
        id(3, n),
        bigJob(n) ?? n + 1,
        agentId(n),
        'crawl_page',
        'https://docs.acme.com/',
        '{}',
        true,
        status,
        1,
        NOW_MS - n,
        lease,
        published,
      ];
    },
  },
  audit: {
    columns:
      'id, workspace_id, at, actor_type, actor_id, actor_label, action, target_type, agent_id, changes',
    row: (n) => [
      id(7, n),
      workspaceId(n),
      NOW_S - ROWS + n,
      'user',
      id(6, n % 20),
      'Ada',
      n % 3 === 0 ? 'updateAgent' : 'addTextSource',
      'agent',
      agentId(n),
      '{}',
    ],
  },
};

/**
 * Fills the tables of a fresh database and updates the statistics of the server, so that it plans as after some
 * months.
 */
export async function fill(connection: Connection, filled: FilledTables = tables): Promise<void> {
  const numbers = Array.from({ length: ROWS }, (_, n) => n);
  for (const [table, { columns, row }] of Object.entries(filled)) {
    await connection.query(`INSERT INTO ${table} (${columns}) VALUES ?`, [numbers.map(row)]);
    await connection.query(`ANALYZE TABLE ${table}`);
  }
}
