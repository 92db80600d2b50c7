import { seconds } from '../../ports/clock.port.js';
import type { TaskRow } from '../../ports/store.port.js';
import type { AgentTurnContext } from './behaviour.js';

export type TaskEnd =
  | { status: 'completed'; documentId: string }
  | { status: 'failed'; error: NonNullable<TaskRow['error']> }
  | { status: 'cancelled' };

/** A job runs from its first started attempt on. */
export async function startJob({ turn, rules }: AgentTurnContext, jobId: number): Promise<void> {
  const job = await turn.jobs.job(jobId);
  if (job?.status !== 'pending') return;
  await turn.jobs.updateJob(jobId, { status: 'running', startedAt: seconds(rules.clock.now()) });
}

/** Ends a task for good, and with the last one its job: `failed` when all tasks failed, else `completed`. */
export async function endTask({ turn, rules }: AgentTurnContext, task: TaskRow, end: TaskEnd): Promise<void> {
  await turn.jobs.updateTask(task.id, {
    status: end.status,
    leaseUntilMs: null,
    error: end.status === 'failed' ? end.error : null,
    ...(end.status === 'completed' ? { documentId: end.documentId } : {}),
  });
  const job = await turn.jobs.job(task.jobId);
  if (!job) throw new Error(`job ${task.jobId} of task ${task.id} is missing`);
  const tasksEnded = job.tasksEnded + 1;
  const tasksFailed = job.tasksFailed + (end.status === 'failed' ? 1 : 0);
  const now = seconds(rules.clock.now());
  const over = tasksEnded === job.tasksCount;
  await turn.jobs.updateJob(job.id, {
    tasksEnded,
    tasksFailed,
    startedAt: job.startedAt ?? now,
    status: over ? (tasksFailed === job.tasksCount ? 'failed' : 'completed') : 'running',
    finishedAt: over ? now : null,
  });
}
