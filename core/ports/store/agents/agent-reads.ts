import type { SourceType } from '../../../knowledge/sources/source-types.js';
import type { SitemapReport } from '../../../knowledge/urls/sitemap-report.js';
import type { JsonObject } from '../../../schemas/json.js';
import type { FailureCode } from '../../../tasks/failures.js';
import type { JobStatus, JobType } from '../../../tasks/job-types.js';
import type { ExcerptReads } from '../knowledge/excerpts.js';
import type { JobWithTasks, PageRequest, TaskPage } from '../pages.js';
import type {
  AgentState,
  DocumentRow,
  JobRow,
  ShownDocument,
  TaskRow,
  TaskStatus,
  UploadRow,
} from '../rows.js';

export interface JobFilter {
  status?: JobStatus | undefined;
  type?: JobType | undefined;
}

export interface Training {
  lastTrainedAt: number | null;
  documentCount: number;
  activeJob: JobRow | null;
}

/** A failed job with the error of its last failed task. The error is null if the task was deleted. */
export interface FailedJob {
  job: JobRow;
  lastError: { code: FailureCode; message: string; target: string } | null;
}

/** An agent and its settings from one snapshot. */
export interface AgentWithSettings {
  agent: AgentState;
  settings: JsonObject;
}

export const sourceOrders = ['createdAt', 'updatedAt', 'name', 'size'] as const;
export type SourceOrder = (typeof sourceOrders)[number];

export interface SourceSearch {
  sourceType: SourceType | null;
  text: string | null;
  order: SourceOrder;
  isDescending: boolean;
}

/** Reads for requests. They see committed data, wait for no turn, and return only rows of the given agent. */
export interface AgentReads extends ExcerptReads {
  /**
   * Returns null if the agent does not exist or is in another workspace, as do `agentWithSettings`, `training` and
   * `sources`.
   */
  agent(workspaceId: string, agentId: string): Promise<AgentState | null>;
  agentWithSettings(workspaceId: string, agentId: string): Promise<AgentWithSettings | null>;
  /** `activeJob` is the newest pending or running job, except embedding. */
  training(workspaceId: string, agentId: string): Promise<Training | null>;
  /** Returns the newest failed job, except embedding, or null. */
  lastFailedJob(agentId: string): Promise<FailedJob | null>;
  /** Returns up to `limit` + 1 rows (see PageRequest), as do `sources` and `jobs`. */
  agents(workspaceId: string, page: PageRequest): Promise<AgentState[]>;
  /** Returns the agents whose name contains a text, regardless of case, and their number up to 10,000. */
  agentsNamed(
    workspaceId: string,
    text: string,
    page: PageRequest,
  ): Promise<{ rows: AgentState[]; total: number }>;
  /** Returns the agents with these ids that belong to the workspace, newest first. */
  agentsOf(workspaceId: string, agentIds: readonly string[]): Promise<AgentState[]>;
  /** Returns how many bytes of the workspace's storage these agents use. */
  storageBytes(agentIds: readonly string[]): Promise<number>;
  document(agentId: string, documentId: string): Promise<DocumentRow | null>;
  /** Returns documents of one source type (null: of all types), and their total number. */
  sources(
    workspaceId: string,
    agentId: string,
    page: PageRequest,
    sourceType: SourceType | null,
  ): Promise<{ rows: ShownDocument[]; total: number } | null>;
  /**
   * Searches titles and URLs of sources for a text, regardless of case, or sorts the sources in another order. `id` of a row is
   * its position for the next page. `total` counts up to 10,000.
   */
  searchSources(
    agentId: string,
    page: PageRequest,
    search: SourceSearch,
  ): Promise<{ rows: { id: string; source: ShownDocument }[]; total: number }>;
  /** Returns the length of the text in UTF-8 bytes; null if the document does not exist. */
  contentBytes(agentId: string, documentId: string): Promise<number | null>;
  /** Returns the text in consecutive slices; null if the document does not exist. Yields between slices. */
  content(agentId: string, documentId: string): Promise<string[] | null>;
  /** Returns part of the text, in code points; null if the document does not exist. */
  contentPart(agentId: string, documentId: string, offset: number, length: number): Promise<string | null>;
  jobs(agentId: string, page: PageRequest, filter?: JobFilter): Promise<JobRow[]>;
  countJobs(agentId: string, filter: JobFilter): Promise<number>;
  /** Returns which of these jobs are pending or running. */
  openJobs(jobIds: readonly number[]): Promise<Set<number>>;
  /** Returns which of these agents have a pending or running job, except embedding. */
  agentsInTraining(agentIds: readonly string[]): Promise<Set<string>>;
  /** Returns a job and its first 100 tasks, by id, from one snapshot. */
  job(agentId: string, jobId: number): Promise<JobWithTasks | null>;
  /** Returns a job and the number of its tasks by state. */
  jobProgress(
    agentId: string,
    jobId: number,
  ): Promise<{ job: JobRow; tasks: Record<TaskStatus, number> } | null>;
  /** Returns up to `limit` + 1 tasks in these states (null: all). Does not check the owner of the job. */
  tasks(jobId: number, statuses: readonly TaskStatus[] | null, page: TaskPage): Promise<TaskRow[]>;
  /** Returns null until the sitemap has been read, and for jobs of other types. */
  sitemap(jobId: number): Promise<SitemapReport | null>;
  upload(agentId: string, path: string): Promise<UploadRow | null>;
}
