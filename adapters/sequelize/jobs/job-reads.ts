import type { AgentReads } from '../../../core/ports/store/agents/agent-reads.js';
import type { JobWithTasks } from '../../../core/ports/store/pages.js';
import type { JobRow, TaskStatus } from '../../../core/ports/store/rows.js';
import { limits } from '../../../core/schemas/limits.js';
import type { Connection } from '../database/connection.js';
import { seek } from '../database/seek.js';
import { jobOf, jobs } from '../tables/jobs.js';
import { taskOf } from '../tables/tasks.js';

type Read = Connection['read'];

/** Prefix of the job's columns, to distinguish them from its tasks'. */
const JOB = 'job__';

const jobWithTasks = `SELECT ${jobs.list({ of: 'jobs', as: JOB })}, tasks.*
  FROM jobs JOIN tasks ON tasks.job_id = jobs.id WHERE jobs.id = ? ORDER BY tasks.id LIMIT ${limits.tasksOfJob}`;

/** One statement is one snapshot, so a job's counters always match the states of its tasks. */
export async function readJob(read: Read, jobId: number): Promise<JobWithTasks | null> {
  const rows = await read(jobWithTasks, [jobId]);
  const [first] = rows;
  if (first) {
    return { job: jobs.decode(first, JOB), tasks: rows.map(taskOf) };
  }
  // The job has no tasks: its pages were deleted first. This second read is safe, because there are no states to match.
  const [job] = await read('SELECT * FROM jobs WHERE id = ?', [jobId]);
  return job ? { job: jobOf(job), tasks: [] } : null;
}

/** Returns the number of tasks by state, from the job's counters. Counts only the few running and cancelled tasks. */
export async function readJobProgress(
  read: Read,
  jobId: number,
): Promise<{ job: JobRow; tasks: Record<TaskStatus, number> } | null> {
  const count = (status: TaskStatus) =>
    `(SELECT COUNT(*) FROM tasks WHERE job_id = jobs.id AND status = '${status}') AS ${status}`;
  const [row] = await read(
    `SELECT jobs.*, ${count('queued')}, ${count('running')}, ${count('cancelled')} FROM jobs WHERE id = ?`,
    [jobId],
  );
  if (!row) return null;
  const job = jobOf(row);
  const [queued, running, cancelled] = [row.queued, row.running, row.cancelled].map(Number) as [
    number,
    number,
    number,
  ];
  const open = job.tasksCount - job.tasksToCome - job.tasksEnded;
  return {
    job,
    tasks: {
      pending: open - queued - running,
      queued,
      running,
      completed: job.tasksEnded - job.tasksFailed - cancelled,
      failed: job.tasksFailed,
      cancelled,
    },
  };
}

/** One statement for all requested states, so that a task that changes state is neither doubled nor missed. */
export const readTasks =
  (connection: Connection): AgentReads['tasks'] =>
  async (jobId, statuses, { limit, after }) => {
    const behind = after === null ? '' : ' AND id > ?';
    const { read } = connection;
    const page = (condition: string) =>
      `SELECT * FROM tasks${seek(connection, condition === '' ? 'tasks_job' : 'tasks_status')} WHERE job_id = ?${condition}${behind} ORDER BY id LIMIT ${limit + 1}`;
    const params = after === null ? [jobId] : [jobId, after];
    if (statuses === null) return (await read(page(''), params)).map(taskOf);
    const pages = statuses.map(
      (status) => `SELECT * FROM (${page(` AND status = '${status}'`)}) AS ${status}_tasks`,
    );
    const rows = await read(
      pages.join(' UNION ALL '),
      statuses.flatMap(() => params),
    );
    return rows.map(taskOf).sort((a, b) => (a.id < b.id ? -1 : 1));
  };
