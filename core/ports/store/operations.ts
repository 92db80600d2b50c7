import type { AgentReads } from './agent-reads.js';
import type { JobWithTasks, PageRequest } from './pages.js';
import type { JobRow, JobStatus, TaskRow, TaskStatus } from './rows.js';

/** What an operator sees across all agents. */
export interface Operations {
  jobs(
    filter: { status?: JobStatus; agentId?: string; workspaceId?: string; createdBefore?: number },
    page: PageRequest,
  ): Promise<JobRow[]>;
  job(jobId: number): Promise<JobWithTasks | null>;
  tasks: AgentReads['tasks'];
  /** Tasks that ended as dead letters (WORKER_CRASHED), newest first, at most `limit` of them. */
  deadLetters(
    filter: { jobId?: number; agentId?: string },
    page: PageRequest,
  ): Promise<(TaskRow & { workspaceId: string })[]>;
  /** Jobs of the agent that these requests made: request id to job id. */
  jobsOfRequests(agentId: string, requestIds: string[]): Promise<Map<string, number>>;
  agentIds(): Promise<string[]>;
  /** How many jobs and tasks are in which state, for metrics. */
  counts(): Promise<{ jobs: Partial<Record<JobStatus, number>>; tasks: Partial<Record<TaskStatus, number>> }>;
}
