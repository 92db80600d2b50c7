import type {
  AgentReads,
  FailedJob,
  JobFilter,
  Training,
} from '../../../core/ports/store/agents/agent-reads.js';
import { MOST_COUNTED, type PageRequest } from '../../../core/ports/store/pages.js';
import type { JobRow } from '../../../core/ports/store/rows.js';
import type { FailureCode } from '../../../core/tasks/failures.js';
import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { containing } from '../database/matching.js';
import { seek } from '../database/seek.js';
import { readJob, readJobProgress, readTasks } from '../jobs/job-reads.js';
import { readContent } from '../knowledge/content-reads.js';
import { createExcerptReads } from '../knowledge/excerpt-reads.js';
import { createSourceSearch } from '../knowledge/source-search.js';
import { agentFields, agentOf, documentsCount } from '../tables/agents.js';
import { documentOf, shownFields, shownOf } from '../tables/documents.js';
import { jobOf } from '../tables/jobs.js';
import { sitemaps } from '../tables/sitemaps.js';
import { uploadOf } from '../tables/uploads.js';

/** Reads for requests. Each is one indexed statement on a plain connection and waits for no actor. */
export function createAgentReads(connection: Connection): AgentReads {
  const { read, readRow } = connection;
  const one = async <T>(decode: (row: Row) => T, sql: string, params: unknown[]): Promise<T | null> => {
    const [row] = await read(sql, params);
    return row ? decode(row) : null;
  };

  /** Returns the agent's row if the agent belongs to the workspace. One read may serve several workspaces. */
  const ownRow = async (fields: string, workspaceId: string, agentId: string): Promise<Row | null> => {
    const row = await readRow(`SELECT ${fields} FROM agents WHERE id IN (?)`, agentId);
    return row?.workspace_id === workspaceId ? row : null;
  };

  /** Newest first, keyset by id. Returns one row more than requested if there are further pages. */
  const page = async <T>(
    decode: (row: Row) => T,
    {
      table,
      index,
      where,
      columns = '*',
    }: { table: string; index: string | null; where: string; columns?: string },
    params: unknown[],
    { limit, before }: PageRequest,
  ): Promise<T[]> => {
    const older = before === null ? '' : ' AND id < ?';
    const rows = await read(
      `SELECT ${columns} FROM ${table}${seek(connection, index)} WHERE ${where}${older} ORDER BY id DESC LIMIT ${limit + 1}`,
      before === null ? params : [...params, before],
    );
    return rows.map(decode);
  };

  /** Returns the pending and running jobs whose `column` has one of these values. */
  const open = async (
    what: string,
    column: string,
    values: readonly unknown[],
    besides = '',
  ): Promise<Row[]> =>
    values.length === 0
      ? []
      : read(
          `SELECT ${what} FROM jobs WHERE ${column} IN (${values.map(() => '?').join(', ')}) AND status IN ('pending', 'running')${besides}`,
          [...values],
        );

  async function activeJob(agentId: string): Promise<JobRow | null> {
    // Two index lookups in one statement: the newest job of each state.
    const newest = (status: string) =>
      `SELECT * FROM (SELECT * FROM jobs WHERE agent_id = ? AND status = '${status}'${notEmbedding} ORDER BY id DESC LIMIT 1) AS ${status}_job`;
    const rows = await read(`${newest('pending')} UNION ALL ${newest('running')}`, [agentId, agentId]);
    const [first, second] = rows.map(jobOf);
    if (!first || !second) return first ?? null;
    return first.id > second.id ? first : second;
  }

  async function training(workspaceId: string, agentId: string): Promise<Training | null> {
    const row = await ownRow(trainingFields, workspaceId, agentId);
    if (!row) return null;
    const job = row.in_training ? await activeJob(agentId) : null;
    // The job ended between the two reads: read again.
    if (row.in_training && !job) return training(workspaceId, agentId);
    return {
      lastTrainedAt: row.last_trained_at === null ? null : Number(row.last_trained_at),
      documentCount: Number(row.documents),
      activeJob: job,
    };
  }

  async function lastFailedJob(agentId: string): Promise<FailedJob | null> {
    const [row] = await read(
      `SELECT failed_job.*, tasks.error_code, tasks.error_message, tasks.target
        FROM (SELECT * FROM jobs${seek(connection, 'jobs_active')} WHERE agent_id = ? AND status = 'failed'${notEmbedding} ORDER BY id DESC LIMIT 1) AS failed_job
        LEFT JOIN tasks ON tasks.id = (SELECT id FROM tasks WHERE job_id = failed_job.id AND status = 'failed' ORDER BY id DESC LIMIT 1)`,
      [agentId],
    );
    if (!row) return null;
    const { error_code: code, error_message: message, target } = row;
    return {
      job: jobOf(row),
      lastError:
        typeof code === 'string'
          ? { code: code as FailureCode, message: String(message ?? ''), target: String(target) }
          : null,
    };
  }

  return {
    training,
    lastFailedJob,
    async agent(workspaceId, agentId) {
      const row = await ownRow(agentFields, workspaceId, agentId);
      return row && agentOf(row);
    },
    async agentWithSettings(workspaceId, agentId) {
      const row = await ownRow(`${agentFields}, settings`, workspaceId, agentId);
      return row && { agent: agentOf(row), settings: JSON.parse(row.settings as string) };
    },
    agents: (workspaceId, request) =>
      page(
        agentOf,
        { table: 'agents', index: 'agents_workspace', where: 'workspace_id = ?', columns: agentFields },
        [workspaceId],
        request,
      ),
    async agentsNamed(workspaceId, text, request) {
      const { sql, params } = containing(['name'], text);
      const where = `workspace_id = ? AND ${sql}`;
      const found = { table: 'agents', index: 'agents_workspace', where, columns: agentFields };
      const [rows, [counted]] = await Promise.all([
        page(agentOf, found, [workspaceId, ...params], request),
        read(
          `SELECT COUNT(*) AS n FROM (SELECT id FROM agents WHERE ${where} LIMIT ${MOST_COUNTED}) AS named`,
          [workspaceId, ...params],
        ),
      ]);
      return { rows, total: Number(counted?.n ?? 0) };
    },
    async agentsOf(workspaceId, agentIds) {
      const sql = `SELECT ${agentFields} FROM agents WHERE id IN (?) AND workspace_id = ? ORDER BY id DESC`;
      return (await read(...withLists(sql, [agentIds, workspaceId]))).map(agentOf);
    },
    async storageBytes(agentIds) {
      const sum = (table: string) =>
        `SELECT COALESCE(SUM(bytes), 0) AS bytes FROM ${table} WHERE agent_id IN (?)`;
      const tables = ['documents', 'uploads', 'pictures'];
      const sql = tables.map(sum).join(' UNION ALL ');
      const rows = await read(
        ...withLists(
          sql,
          tables.map(() => agentIds),
        ),
      );
      return rows.reduce((total, row) => total + Number(row.bytes), 0);
    },
    document: (agentId, documentId) =>
      one(documentOf, 'SELECT * FROM documents WHERE id = ? AND agent_id = ?', [documentId, agentId]),
    async sources(workspaceId, agentId, { limit, before }, sourceType) {
      const [index, total, ofType] =
        sourceType === null
          ? ['documents_agent', documentsCount, '']
          : ['documents_type', sourceType, ' AND documents.source_type = ?'];
      const older = before === null ? '' : ' AND documents.id < ?';
      // Not a left join: MySQL and MariaDB would read and sort the whole list for one page.
      const rows = await read(
        `SELECT ${total} AS total, ${shownFields}
          FROM agents JOIN documents${seek(connection, index)} ON documents.agent_id = agents.id${ofType}${older}
          WHERE agents.id = ? AND agents.workspace_id = ? ORDER BY documents.id DESC LIMIT ${limit + 1}`,
        [sourceType, before, agentId, workspaceId].filter((param) => param !== null),
      );
      const [first] = rows;
      if (first) return { rows: rows.map(shownOf), total: Number(first.total) };
      return one(
        (agent) => ({ rows: [], total: Number(agent.total) }),
        `SELECT ${total} AS total FROM agents WHERE id = ? AND workspace_id = ?`,
        [agentId, workspaceId],
      );
    },
    searchSources: createSourceSearch(connection),
    contentBytes: (agentId, documentId) =>
      one(
        (row) => Number(row.bytes),
        'SELECT OCTET_LENGTH(text) AS bytes FROM document_contents WHERE document_id = ? AND agent_id = ?',
        [documentId, agentId],
      ),
    content: (agentId, documentId) => readContent(connection, agentId, documentId),
    // SUBSTR counts code points, on every engine.
    contentPart: (agentId, documentId, offset, length) =>
      one(
        (row) => row.part as string,
        'SELECT SUBSTR(text, ?, ?) AS part FROM document_contents WHERE document_id = ? AND agent_id = ?',
        [offset + 1, length, documentId, agentId],
      ),
    ...createExcerptReads(connection),
    async job(agentId, jobId) {
      const found = await readJob(read, jobId);
      return found?.job.agentId === agentId ? found : null;
    },
    async jobProgress(agentId, jobId) {
      const found = await readJobProgress(read, jobId);
      return found?.job.agentId === agentId ? found : null;
    },
    tasks: readTasks(connection),
    jobs(agentId, request, filter = {}) {
      const { where, params } = jobsOf(agentId, filter);
      return page(jobOf, { table: 'jobs', index: indexOf(filter), where }, params, request);
    },
    async countJobs(agentId, filter) {
      const { where, params } = jobsOf(agentId, filter);
      const [row] = await read(`SELECT COUNT(*) AS n FROM jobs WHERE ${where}`, params);
      return Number(row?.n ?? 0);
    },
    async openJobs(jobIds) {
      const rows = await open('id', 'id', jobIds);
      return new Set(rows.map((row) => Number(row.id)));
    },
    async agentsInTraining(agentIds) {
      const rows = await open('DISTINCT agent_id', 'agent_id', agentIds, notEmbedding);
      return new Set(rows.map((row) => row.agent_id as string));
    },
    async sitemap(jobId) {
      const [row] = await read('SELECT report FROM sitemaps WHERE job_id = ?', [jobId]);
      return row ? sitemaps.decode(row).report : null;
    },
    upload: (agentId, path) =>
      one(uploadOf, 'SELECT * FROM uploads WHERE path = ? AND agent_id = ?', [path, agentId]),
  };
}

/** Embedding is not part of training, which ends when all content can be found by its words. */
const notEmbedding = " AND type <> 'embed'";

const trainingFields = `id, workspace_id, last_trained_at, ${documentsCount} AS documents,
  EXISTS (SELECT 1 FROM jobs WHERE agent_id = agents.id AND status IN ('pending', 'running')${notEmbedding}) AS in_training`;

/** With both conditions, the database chooses: which index matches fewer rows depends on the jobs. */
function indexOf({ status, type }: JobFilter): string | null {
  if (status === undefined) return type === undefined ? 'jobs_agent' : 'jobs_type';
  return type === undefined ? 'jobs_active' : null;
}

function jobsOf(agentId: string, { status, type }: JobFilter): { where: string; params: string[] } {
  const fields = Object.entries({ agent_id: agentId, type, status }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    where: fields.map(([column]) => `${column} = ?`).join(' AND '),
    params: fields.map(([, value]) => value as string),
  };
}
