import type { Handler } from './handler.js';
import { cancelTasks } from './job-control.js';
import { writePageTasks } from './sitemaps.js';
import { writeTasks } from './training.js';

/** Creates or cancels the next tasks of a job that has too many for one turn. */
export const openTasks: Handler<'openTasks'> = async (context, { jobId }) => {
  const job = await context.turn.jobs.job(jobId);
  // Another process has already handled the last batch.
  if (!job || job.openedUpTo === null) return null;
  const write = job.type === 'index_sitemap' ? writePageTasks : writeTasks;
  await (job.cancelledAt === null ? write(context, job) : cancelTasks(context, job));
  context.admit();
  return null;
};
