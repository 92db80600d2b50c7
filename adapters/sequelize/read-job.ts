import type { JobRow, TaskRow } from '../../core/ports/store.port.js';
import type { Connection, Row } from './connect.js';
import { jobOf, taskOf } from './rows.js';

const jobColumns = [
  'id',
  'agent_id',
  'workspace_id',
  'type',
  'is_retrain',
  'status',
  'tasks_count',
  'tasks_ended',
  'tasks_failed',
  'request_id',
  'created_at',
  'started_at',
  'finished_at',
];

const sql = `SELECT ${jobColumns.map((column) => `jobs.${column} AS job__${column}`).join(', ')}, tasks.*
  FROM jobs LEFT JOIN tasks ON tasks.job_id = jobs.id WHERE jobs.id = ?`;

/** One statement, one snapshot: counters of the job and states of its tasks always agree. */
export async function readJob(
  read: Connection['read'],
  jobId: number,
): Promise<{ job: JobRow; tasks: TaskRow[] } | null> {
  const rows = await read(sql, [jobId]);
  const [first] = rows;
  if (!first) return null;
  const job: Row = Object.fromEntries(jobColumns.map((column) => [column, first[`job__${column}`]]));
  const tasks = rows.filter((row) => row.id !== null).map(taskOf);
  // Sorted here: MySQL would put the rows of an outer join, payloads and all, into a temporary table for that.
  return { job: jobOf(job), tasks: tasks.sort((a, b) => (a.id < b.id ? -1 : 1)) };
}
