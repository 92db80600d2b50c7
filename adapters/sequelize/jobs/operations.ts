import type { Operations } from '../../../core/ports/store/operations.js';
import type { TaskStatus } from '../../../core/ports/store/rows.js';
import type { JobStatus } from '../../../core/tasks/job-types.js';
import type { Connection } from '../database/connection.js';
import { agentFields, agentOf } from '../tables/agents.js';
import { jobOf } from '../tables/jobs.js';
import { taskOf } from '../tables/tasks.js';
import { readJob, readTasks } from './job-reads.js';

/** Overviews for operators, across agents. */
export function createOperations(connection: Connection): Operations {
  const { read } = connection;
  const countByStatus = async <S extends string>(
    table: 'jobs' | 'tasks',
    statuses: S[],
  ): Promise<Partial<Record<S, number>>> => {
    // Ended jobs are not counted: their number grows without limit, and so would the cost.
    const rows = await read(
      `SELECT status, COUNT(*) AS n FROM ${table} WHERE status IN (${statuses.map(() => '?').join(', ')}) GROUP BY status`,
      statuses,
    );
    return Object.fromEntries(rows.map((row) => [row.status, Number(row.n)])) as Partial<Record<S, number>>;
  };

  return {
    async jobs(filter, { limit, before }) {
      const conditions: [string, unknown][] = [];
      if (filter.status) conditions.push(['status = ?', filter.status]);
      if (filter.agentId) conditions.push(['agent_id = ?', filter.agentId]);
      if (filter.workspaceId) conditions.push(['workspace_id = ?', filter.workspaceId]);
      if (filter.createdBefore !== undefined) conditions.push(['created_at < ?', filter.createdBefore]);
      if (before !== null) conditions.push(['id < ?', before]);
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`;
      const rows = await read(
        `SELECT * FROM jobs ${where} ORDER BY id DESC LIMIT ${limit}`,
        conditions.map(([, value]) => value),
      );
      return rows.map(jobOf);
    },
    job: (jobId) => readJob(read, jobId),
    tasks: readTasks(connection),
    async deadLetters(filter, { limit, before }) {
      const of: [string, unknown][] = [];
      if (filter.jobId !== undefined) of.push([' AND tasks.job_id = ?', filter.jobId]);
      if (filter.agentId !== undefined) of.push([' AND tasks.agent_id = ?', filter.agentId]);
      if (before !== null) of.push([' AND tasks.id < ?', before]);
      const rows = await read(
        `SELECT tasks.*, jobs.workspace_id FROM tasks JOIN jobs ON jobs.id = tasks.job_id
          WHERE tasks.status = 'failed' AND tasks.error_code = 'WORKER_CRASHED'${of.map(([sql]) => sql).join('')}
          ORDER BY tasks.id DESC LIMIT ${limit}`,
        of.map(([, value]) => value),
      );
      return rows.map((row) => ({ ...taskOf(row), workspaceId: row.workspace_id as string }));
    },
    async jobsOfRequests(agentId, requestIds) {
      if (requestIds.length === 0) return new Map();
      const rows = await read(
        `SELECT id, request_id FROM jobs WHERE agent_id = ? AND request_id IN (${requestIds.map(() => '?').join(', ')}) ORDER BY id`,
        [agentId, ...requestIds],
      );
      return new Map(rows.map((row) => [row.request_id as string, Number(row.id)]));
    },
    agentIds: async () =>
      (await read('SELECT id FROM agents ORDER BY id', [])).map((row) => row.id as string),
    async agent(agentId) {
      const [row] = await read(`SELECT ${agentFields} FROM agents WHERE id = ?`, [agentId]);
      return row ? agentOf(row) : null;
    },
    async backlog() {
      const [waiting] = await read(
        `SELECT created_at FROM jobs WHERE status = 'pending' ORDER BY id LIMIT 1`,
        [],
      );
      const [outbox] = await read(
        `SELECT COUNT(*) AS n, MIN(due_at_ms) AS oldest FROM tasks WHERE status = 'queued' AND published = 0`,
        [],
      );
      return {
        jobs: await countByStatus<JobStatus>('jobs', ['pending', 'running']),
        tasks: await countByStatus<TaskStatus>('tasks', ['pending', 'queued', 'running']),
        oldestJobAt: waiting === undefined ? null : Number(waiting.created_at),
        unpublished: Number(outbox?.n ?? 0),
        oldestUnpublishedAtMs: outbox?.oldest == null ? null : Number(outbox.oldest),
      };
    },
    connections: () => connection.use(),
  };
}
