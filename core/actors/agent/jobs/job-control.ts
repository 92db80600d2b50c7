import { ApiError, invalidField } from '../../../errors/api-error.js';
import { seconds } from '../../../ports/clock.port.js';
import type { JobRow, TaskRow } from '../../../ports/store/rows.js';
import type { AgentTurnContext, Handler } from '../handler.js';
import { jobKinds } from './job-kinds.js';
import { progress } from './job-progress.js';
import { taskResults } from './results.js';
import { discardResults } from './tasks.js';

/** Maximum number of tasks that one turn ends. */
const TASKS_PER_TURN = 100;

/** Ends the next open tasks of a cancelled job. The job ends with the last one. */
export async function cancelTasks(context: AgentTurnContext, job: JobRow): Promise<void> {
  const { turn } = context;
  const open = await turn.jobs.openTasks(job.id, TASKS_PER_TURN);
  await turn.jobs.cancelTasks(open.map(({ id }) => id));
  for (const task of open) await cleanUp(context, task);
  const tasksEnded = job.tasksEnded + open.length;
  const tasksCount = job.tasksCount - job.tasksToCome;
  await progress(context, job, {
    cancelledAt: job.cancelledAt,
    tasksEnded,
    tasksCount,
    tasksToCome: 0,
    // If more tasks are open, the sweep continues after the last of these.
    openedUpTo: tasksEnded < tasksCount ? (open.at(-1)?.id ?? null) : null,
  });
}

async function cleanUp(context: AgentTurnContext, task: TaskRow): Promise<void> {
  if (task.attempts > 0) await discardResults(context, task);
  await taskResults[task.type].release?.(context, task);
}

export const cancelJob: Handler<'cancelJob'> = async (context, { jobId }) => {
  const { turn, rules } = context;
  const job = await turn.jobs.job(jobId);
  if (job?.finishedAt !== null) return { job };
  // If the job is already being cancelled, the sweep ends the remaining tasks.
  if (job.cancelledAt !== null) return { job };
  await cancelTasks(context, { ...job, cancelledAt: seconds(rules.clock.now()) });
  context.admit();
  return { job: await turn.jobs.job(jobId) };
};

export const retryJob: Handler<'retryJob'> = async (context, { jobId, requestId }) => {
  const failed = await context.turn.jobs.job(jobId);
  if (!failed) throw new ApiError('RESOURCE_NOT_FOUND');
  if (failed.finishedAt === null)
    throw invalidField('jobId', 'is a job that has not ended: wait until it has ended, or cancel it');
  const { retry } = jobKinds[failed.type];
  if (failed.tasksFailed === 0 || typeof retry === 'string') return { failed, job: null };
  return { failed, job: await retry(context, failed, requestId) };
};

/** Deletes a batch small enough not to delay other turns. */
export const forgetJobs: Handler<'forgetJobs'> = async ({ turn }, { before }) => {
  await turn.jobs.forget(before, TASKS_PER_TURN);
  return null;
};
