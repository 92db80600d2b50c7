import type { JobRow } from '../../../ports/store/rows.js';

/** A job in API responses and webhook events, without its tasks. */
export const jobSummary = (job: JobRow) => ({
  id: String(job.id),
  type: job.type,
  status: job.status,
  isRetrain: job.isRetrain,
  tasksCount: job.tasksCount,
  tasksCompletedCount: job.tasksEnded,
  tasksFailedCount: job.tasksFailed,
  createdAt: job.createdAt,
  startedAt: job.startedAt,
  finishedAt: job.finishedAt,
});
