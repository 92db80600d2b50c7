import { seconds } from '../../../ports/clock.port.js';
import type { JobRow, TaskRow } from '../../../ports/store/rows.js';
import { type FailureCode, failureKinds } from '../../../tasks/failures.js';
import type { AgentTurnContext } from '../handler.js';
import { endReading } from '../sites/end-reading.js';
import { announceFailure, announceJobEnd } from './announcements.js';
import { evaluateAfter } from './evaluate-after.js';
import { noteFailure } from './task-failures.js';

export type TaskEnd =
  | { status: 'completed'; documentId: string | null }
  | { status: 'failed'; error: NonNullable<TaskRow['error']> }
  | { status: 'cancelled' };

/** The task is not done: its next attempt is of another type, or due later (by default now). */
export type Continuation = { status: 'continued' } & Pick<TaskRow, 'type' | 'payload'> &
  Partial<Pick<TaskRow, 'dueAtMs'>>;

/** Ends a task with a failure, by default with the sentence of its code. */
export const failedWith = (code: FailureCode, message: string = failureKinds[code].sentence): TaskEnd => ({
  status: 'failed',
  error: { code, message },
});

export async function startJob({ turn, rules }: AgentTurnContext, jobId: number): Promise<void> {
  const job = await turn.jobs.job(jobId);
  if (job?.status !== 'pending') return;
  await turn.jobs.updateJob(jobId, { status: 'running', startedAt: seconds(rules.clock.now()) });
}

/** Ends a task and its followers. The last task of a job ends the job, too. Followers have no followers of their own. */
export async function endTask(context: AgentTurnContext, task: TaskRow, end: TaskEnd): Promise<void> {
  await endOne(context, task, end);
  for (const follower of await context.turn.jobs.followers(task.id))
    await endOne(context, { ...follower, attempts: task.attempts }, end);
}

async function endOne(context: AgentTurnContext, task: TaskRow, end: TaskEnd): Promise<void> {
  const { turn, rules } = context;
  await turn.jobs.updateTask(task.id, {
    status: end.status,
    attempts: task.attempts,
    leaseUntilMs: null,
    error: end.status === 'failed' ? end.error : null,
    // Omit an unchanged id. Ids differ from row to row, so the UPDATE would need a branch for each row.
    ...(end.status === 'completed' && end.documentId !== task.documentId
      ? { documentId: end.documentId }
      : {}),
  });
  const job = await turn.jobs.job(task.jobId);
  if (!job) throw new Error(`job ${task.jobId} of task ${task.id} is missing`);
  if (end.status === 'failed') announceFailure(context, task, job, end.error);
  if (end.status !== 'cancelled')
    await noteFailure(context, task, end.status === 'failed' ? end.error : null);
  await progress(context, job, {
    tasksEnded: job.tasksEnded + 1,
    tasksFailed: job.tasksFailed + (end.status === 'failed' ? 1 : 0),
    startedAt: job.startedAt ?? seconds(rules.clock.now()),
    status: 'running',
  });
}

/**
 * Updates the counters of a job. When all tasks have ended, ends it as `cancelled` if it was cancelled, as
 * `failed` if all tasks failed (of a site: if no page was read), else as `completed`.
 */
export async function progress(
  context: AgentTurnContext,
  job: JobRow,
  change: Partial<JobRow>,
): Promise<void> {
  const { turn, rules, note } = context;
  const { tasksCount, tasksEnded, tasksFailed, cancelledAt } = { ...job, ...change };
  if (tasksEnded < tasksCount) return turn.jobs.updateJob(job.id, change);
  const isCancelled = cancelledAt !== null;
  const hasFailed =
    job.type === 'index_site'
      ? !(await endReading(context, job.id, isCancelled))
      : tasksCount > 0 && tasksFailed === tasksCount;
  const status = isCancelled ? 'cancelled' : hasFailed ? 'failed' : 'completed';
  const finishedAt = seconds(rules.clock.now());
  const end = { ...change, status, finishedAt, openedUpTo: null } as const;
  await turn.jobs.updateJob(job.id, end);
  note({ kind: 'jobEnded', type: job.type, status, seconds: Math.max(0, finishedAt - job.createdAt) });
  announceJobEnd(context, { ...job, ...end });
  await evaluateAfter(context, { ...job, ...end });
}
