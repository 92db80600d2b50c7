import type { JobStatus } from '../../tasks/job-types.js';
import type { AgentReads } from './agents/agent-reads.js';
import type { JobWithTasks, PageRequest } from './pages.js';
import type { AgentState, JobRow, TaskRow, TaskStatus } from './rows.js';

/** Queries for operators, across all agents. */
export interface Operations {
  /** Returns up to `limit` jobs, newest first. `createdBefore` in Unix seconds, exclusive. */
  jobs(
    filter: { status?: JobStatus; agentId?: string; workspaceId?: string; createdBefore?: number },
    page: PageRequest,
  ): Promise<JobRow[]>;
  job(jobId: number): Promise<JobWithTasks | null>;
  tasks: AgentReads['tasks'];
  /** Returns up to `limit` dead letters (tasks failed with WORKER_CRASHED), newest first. */
  deadLetters(
    filter: { jobId?: number; agentId?: string },
    page: PageRequest,
  ): Promise<(TaskRow & { workspaceId: string })[]>;
  /** Maps request ids to the jobs that they created (the newest, if a request created several). */
  jobsOfRequests(agentId: string, requestIds: string[]): Promise<Map<string, number>>;
  /** Returns all ids, sorted. */
  agentIds(): Promise<string[]>;
  /** Returns an agent of any workspace. */
  agent(agentId: string): Promise<AgentState | null>;
  /** Returns the amount of unfinished work, for metrics. */
  backlog(): Promise<Backlog>;
  /** Returns the use of this process's connection pool; null for SQLite. */
  connections(): ConnectionUse | null;
}

export interface Backlog {
  /** Number of open jobs and tasks by state, without zeros. */
  jobs: Partial<Record<JobStatus, number>>;
  tasks: Partial<Record<TaskStatus, number>>;
  /** When the oldest pending job was created, in Unix seconds. */
  oldestJobAt: number | null;
  /** Number of admitted attempts that the queue has not confirmed, and the time at which the oldest was admitted. */
  unpublished: number;
  oldestUnpublishedAtMs: number | null;
}

export interface ConnectionUse {
  open: number;
  busy: number;
  /** Number of requests that wait for a connection. */
  waiting: number;
}
