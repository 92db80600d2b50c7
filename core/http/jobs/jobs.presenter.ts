import { jobKinds } from '../../actors/agent/jobs/job-kinds.js';
import { jobSummary } from '../../actors/agent/jobs/job-summary.js';
import type { SitemapReport } from '../../knowledge/urls/sitemap-report.js';
import type { AgentReads } from '../../ports/store/agents/agent-reads.js';
import type { Copies } from '../../ports/store/agents/copies.js';
import type { SiteReading, Sites } from '../../ports/store/agents/sites.js';
import type { JobRow, TaskRow, TaskStatus } from '../../ports/store/rows.js';
import { presentReading } from '../sites/sites.presenter.js';

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

/** What a job of a sitemap, a whole site or a copy reports; null for other jobs, and before there is something. */
export interface JobReports {
  sitemap: SitemapReport | null;
  reading: SiteReading | null;
  leftOut: readonly string[] | null;
}

export const presentJob = (job: JobRow, tasks: TaskRow[], { sitemap, reading, leftOut }: JobReports) => ({
  ...jobSummary(job),
  tasks: tasks.map(presentTask),
  ...(sitemap ? { sitemap } : {}),
  ...(reading ? { site: presentReading(reading) } : {}),
  ...(leftOut ? { leftOut } : {}),
});

/** Reads what a job reports beside its tasks. */
export const jobReports = async (
  job: Pick<JobRow, 'id' | 'agentId' | 'type'>,
  {
    reads,
    sites,
    copies,
  }: {
    reads: Pick<AgentReads, 'sitemap'>;
    sites: Pick<Sites, 'reading'>;
    copies: Pick<Copies, 'leftOut'>;
  },
): Promise<JobReports> => ({
  sitemap: job.type === 'index_sitemap' ? await reads.sitemap(job.id) : null,
  reading: job.type === 'index_site' ? await sites.reading(job.id) : null,
  leftOut: job.type === 'copy_agent' ? await copies.leftOut(job.agentId, job.id) : null,
});

/** Explains why no task of a job is retried. */
export function whyNoRetry({ tasksFailed, type }: JobRow): string {
  if (tasksFailed === 0) return 'No task of this job has failed.';
  const { retry } = jobKinds[type];
  return typeof retry === 'string' ? retry : 'The failed pages have been deleted.';
}
