import type { SitemapReport } from '../../knowledge/sitemap.js';
import type { SourceType } from '../../knowledge/source-types.js';
import type { JsonObject } from '../../schemas/json.js';
import type { FailureCode } from '../../tasks/failures.js';
import type { JobStatus, JobType } from '../../tasks/job-types.js';
import type { JobWithTasks, PageRequest, TaskPage } from './pages.js';
import type {
  AgentProfile,
  AgentState,
  DocumentRow,
  JobRow,
  ShownDocument,
  TaskRow,
  TaskStatus,
  UploadRow,
} from './rows.js';
import type { StretchReads } from './stretches.js';

/** A filter of jobs; an absent field matches all. */
export interface JobFilter {
  status?: JobStatus | undefined;
  type?: JobType | undefined;
}

export interface Training {
  lastTrainedAt: number | null;
  documentCount: number;
  activeJob: JobRow | null;
}

/** A job all of whose tasks failed, and why the last of them did; null when the task is not known any more. */
export interface FailedJob {
  job: JobRow;
  lastError: { code: FailureCode; message: string; target: string } | null;
}

/** An agent and its settings, read at the same moment. */
export interface AgentWithSettings {
  agent: AgentState;
  settings: JsonObject;
}

/**
 * What answers requests. Each method sees what is committed, waits for no turn, and finds only what
 * belongs to the given agent.
 */
export interface AgentReads extends StretchReads {
  /** Null when it is gone, or in another workspace. */
  agent(workspaceId: string, agentId: string): Promise<AgentState | null>;
  /** The same with its settings, in one statement. */
  agentWithSettings(workspaceId: string, agentId: string): Promise<AgentWithSettings | null>;
  /** Null as with `agent`; so do `training` and `sources`. */
  profile(workspaceId: string, agentId: string): Promise<AgentProfile | null>;
  /** How many documents it has, and the newest job that is pending or running, vectors aside. */
  training(workspaceId: string, agentId: string): Promise<Training | null>;
  /** The newest job that failed, vectors aside; null when none did, or none is kept. */
  lastFailedJob(agentId: string): Promise<FailedJob | null>;
  /** Null when the agent is gone. */
  settings(agentId: string): Promise<JsonObject | null>;
  /** Up to `limit` + 1 of them, as PageRequest says; so do `sources` and `jobs`. */
  agents(workspaceId: string, page: PageRequest): Promise<AgentState[]>;
  document(agentId: string, documentId: string): Promise<DocumentRow | null>;
  /** Documents of one source type, or of all with null, and how many there are in all. */
  sources(
    workspaceId: string,
    agentId: string,
    page: PageRequest,
    sourceType: SourceType | null,
  ): Promise<{ rows: ShownDocument[]; total: number } | null>;
  /** Length of the document's text in UTF-8 bytes; null when it is gone. */
  contentBytes(agentId: string, documentId: string): Promise<number | null>;
  /** The document's text in consecutive slices, read with other work in between; null when it is gone. */
  content(agentId: string, documentId: string): Promise<string[] | null>;
  jobs(agentId: string, page: PageRequest, filter?: JobFilter): Promise<JobRow[]>;
  /** All jobs of the agent to which the filter applies. */
  countJobs(agentId: string, filter: JobFilter): Promise<number>;
  /** Those of these jobs that are pending or running. */
  openJobs(jobIds: readonly number[]): Promise<Set<number>>;
  /** Those of these agents that have a pending or running job, vectors aside. */
  agentsInTraining(agentIds: readonly string[]): Promise<Set<string>>;
  /** A job and its first 100 tasks, in the order of their ids, as they were at one instant. */
  job(agentId: string, jobId: number): Promise<JobWithTasks | null>;
  /** A job, and how many of its tasks are in which state. */
  jobProgress(
    agentId: string,
    jobId: number,
  ): Promise<{ job: JobRow; tasks: Record<TaskStatus, number> } | null>;
  /** Up to `limit` + 1 tasks of a job in one of these states; null asks for all. Does not check whose job it is. */
  tasks(jobId: number, statuses: readonly TaskStatus[] | null, page: TaskPage): Promise<TaskRow[]>;
  /** What a job has found in a sitemap; null before, and for other jobs. */
  sitemap(jobId: number): Promise<SitemapReport | null>;
  upload(agentId: string, path: string): Promise<UploadRow | null>;
}
