import { jobKinds } from '../../actors/agent/jobs/job-kinds.js';
import { jobSummary } from '../../actors/agent/jobs/job-summary.js';
import type { SitemapReport } from '../../knowledge/urls/sitemap-report.js';
import type { JobRow, TaskRow, TaskStatus } from '../../ports/store/rows.js';

/** Task states of the API, which shows `queued` tasks as `pending`. */
export type TaskState = Exclude<TaskStatus, 'queued'>;

const stateOf = (status: TaskStatus): TaskState => (status === 'queued' ? 'pending' : status);

export const storedAs = (state: TaskState): readonly TaskStatus[] =>
  state === 'pending' ? ['pending', 'queued'] : [state];

export const presentTask = (task: TaskRow) => ({
  id: task.id,
  target: task.target,
  status: stateOf(task.status),
  attempts: task.attempts,
  documentId: task.documentId,
  lastError: task.error,
  ...(task.status === 'running' && task.progress ? { progress: task.progress } : {}),
});

export const presentJob = (job: JobRow, tasks: TaskRow[], sitemap: SitemapReport | null) => ({
  ...jobSummary(job),
  tasks: tasks.map(presentTask),
  ...(sitemap ? { sitemap } : {}),
});

/** Explains why no task of a job is retried. */
export function whyNoRetry({ tasksFailed, type }: JobRow): string {
  if (tasksFailed === 0) return 'No task of this job has failed.';
  const { retry } = jobKinds[type];
  return typeof retry === 'string' ? retry : 'The failed pages have been deleted.';
}
