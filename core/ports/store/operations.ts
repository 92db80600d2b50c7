import type { JobStatus } from '../../tasks/job-types.js';
import type { AgentReads } from './agent-reads.js';
import type { JobWithTasks, PageRequest } from './pages.js';
import type { AgentState, JobRow, TaskRow, TaskStatus } from './rows.js';

/** What an operator sees across all agents. */
export interface Operations {
  /**
   * Up to `limit` jobs to which all of the filter applies, newest first; `createdBefore` in Unix seconds, exclusive.
   */
  jobs(
    filter: { status?: JobStatus; agentId?: string; workspaceId?: string; createdBefore?: number },
    page: PageRequest,
  ): Promise<JobRow[]>;
  job(jobId: number): Promise<JobWithTasks | null>;
  tasks: AgentReads['tasks'];
  /** Up to `limit` tasks that ended as dead letters (failed with WORKER_CRASHED), newest first. */
  deadLetters(
    filter: { jobId?: number; agentId?: string },
    page: PageRequest,
  ): Promise<(TaskRow & { workspaceId: string })[]>;
  /** Jobs of the agent that these requests made: request id to job id (the newest, if a request made several). */
  jobsOfRequests(agentId: string, requestIds: string[]): Promise<Map<string, number>>;
  /** In their own order. */
  agentIds(): Promise<string[]>;
  /** Whichever workspace it belongs to. */
  agent(agentId: string): Promise<AgentState | null>;
  /** What is left to do, for metrics. */
  backlog(): Promise<Backlog>;
  /** How this process uses its connections; null for a database that is a file. */
  connections(): ConnectionUse | null;
}

export interface Backlog {
  /** Open jobs and tasks by state; states without any are missing. */
  jobs: Partial<Record<JobStatus, number>>;
  tasks: Partial<Record<TaskStatus, number>>;
  /** When the oldest pending job was made, in Unix seconds. */
  oldestJobAt: number | null;
  /** Admitted attempts that the queue has not confirmed, and when the one that has waited longest was admitted. */
  unpublished: number;
  oldestUnpublishedAtMs: number | null;
}

export interface ConnectionUse {
  open: number;
  busy: number;
  /** Requests that wait for a connection. */
  waiting: number;
}
