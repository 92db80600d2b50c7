import type { Handler } from '../handler.js';
import { cancelTasks } from './job-control.js';
import { jobKinds } from './job-kinds.js';

/** Creates or cancels the next tasks of a job that has too many for one turn. */
export const openTasks: Handler<'openTasks'> = async (context, { jobId }) => {
  const job = await context.turn.jobs.job(jobId);
  // Another process has already handled the last batch.
  if (!job || job.openedUpTo === null) return null;
  const { writeTasks } = jobKinds[job.type];
  if (job.cancelledAt !== null) await cancelTasks(context, job);
  else if (writeTasks !== null) await writeTasks(context, job);
  else throw new Error(`job ${job.id} of the type ${job.type} has tasks to come`);
  context.admit();
  return null;
};
