import type { Handler } from './handler.js';
import { cancelTasks } from './job-control.js';
import { writeTasks } from './training.js';

/** The next piece of a job that has too many tasks for one turn. */
export const openTasks: Handler<'openTasks'> = async (context, { jobId }) => {
  const job = await context.turn.jobs.job(jobId);
  // Another process came first, and this was the last piece.
  if (!job || job.openedUpTo === null) return null;
  await (job.cancelledAt === null ? writeTasks(context, job) : cancelTasks(context, job));
  context.admit();
  return null;
};
