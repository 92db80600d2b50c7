import type { SourceType } from '../../knowledge/sources/source-types.js';
import type { PlacedChunk } from '../../knowledge/text/chunk-text.js';
import type { AgentProfile } from '../../schemas/agent-profile.js';
import type { JsonObject } from '../../schemas/json.js';
import type { FailureCode } from '../../tasks/failures.js';
import type { JobStatus, JobType } from '../../tasks/job-types.js';
import type { JobTaskType, TaskPayloads } from '../../tasks/task-types.js';
import type { TaskProgress } from '../../tasks/wire.js';

/** `queued`: admitted to the window and sent to the queue. */
export type TaskStatus = JobStatus | 'queued';

/** An agent without its settings, which may be hundreds of kilobytes and are read separately. */
export interface AgentState extends AgentProfile {
  id: string;
  workspaceId: string;
  /** Incremented by every turn that writes. */
  version: number;
  /** Incremented with every added, replaced or deleted document; `removals` with every deletion. */
  knowledgeVersion: number;
  removals: number;
  /**
   * The vector space of the agent's documents, and the knowledge version at which all of them had vectors; null if
   * never.
   */
  embeddedAs: string | null;
  embeddedVersion: number;
  documents: Record<SourceType, number>;
  jobs: number;
  createdAt: number;
  lastTrainedAt: number | null;
  /** Start of the interval until the next auto-retrain; null if auto-retrain is off. */
  retrainBaseAt: number | null;
  /** Moment of the next auto-retrain by the agent's schedule; null without one, or if auto-retrain is off. */
  retrainDueAt: number | null;
  /** When the last auto-retrain began. */
  retrainedAt: number | null;
  /**
   * Earliest time at which the next task may be dispatched. Null if no task is pending or the agent's own window is
   * full.
   */
  nextDueAtMs: number | null;
}

export interface DocumentRow {
  id: string;
  agentId: string;
  workspaceId: string;
  sourceType: SourceType;
  title: string;
  /** Number of bytes charged to the workspace. */
  bytes: number;
  /** web_crawl only: the normalised URL. */
  url: string | null;
  /** file_upload only. */
  storagePath: string | null;
  contentHash: string;
  metadata: JsonObject;
  createdAt: number;
  lastCrawledAt: number | null;
  /** Last change of the text or the title, in Unix seconds. */
  updatedAt: number;
}

/** A document in API responses. */
export type ShownDocument = Pick<
  DocumentRow,
  'id' | 'sourceType' | 'title' | 'contentHash' | 'metadata' | 'createdAt' | 'lastCrawledAt'
>;

export interface DocumentContent {
  text: string;
  chunks: PlacedChunk[];
}

/** Content with its index (core/retrieval/index/segment.ts), to be stored. */
export interface NewContent extends DocumentContent {
  segment: Uint8Array;
}

export interface JobRow {
  id: number;
  agentId: string;
  workspaceId: string;
  type: JobType;
  isRetrain: boolean;
  /** Whether an auto-retrain has created the job. */
  scheduled: boolean;
  status: JobStatus;
  tasksCount: number;
  tasksEnded: number;
  tasksFailed: number;
  /** Number of tasks that are counted but not yet created. Tasks of a big job are created in batches. */
  tasksToCome: number;
  /** Id of the page or task up to which tasks have been created or cancelled; null if there are none left. */
  openedUpTo: string | null;
  /** The job whose failed tasks this one retries. */
  retryOf: number | null;
  /** Time of the cancellation. Ending all tasks may take several turns. */
  cancelledAt: number | null;
  requestId: string | null;
  /** The span that created the job (W3C Trace Context); null if tracing is off. */
  traceparent: string | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
}

export type NewJob = Omit<JobRow, 'id' | 'agentId' | 'workspaceId'>;

export interface TaskRow {
  id: string;
  jobId: number;
  agentId: string;
  type: JobTaskType;
  target: string;
  payload: TaskPayloads[JobTaskType];
  /** The document that the task updates or has created. */
  documentId: string | null;
  /** If true, the task may update `documentId` but not create a document. */
  isRetrain: boolean;
  status: TaskStatus;
  /** Number of the current or last attempt; 0 before the first. */
  attempts: number;
  /** Earliest time of dispatch. */
  dueAtMs: number;
  /** While running: without a heartbeat until this time, the attempt counts as lost. */
  leaseUntilMs: number | null;
  /** True if the queue has confirmed the message of this attempt. */
  published: boolean;
  error: { code: FailureCode; message: string } | null;
  /** Null for tasks without parts, and before the first. */
  progress: TaskProgress | null;
}

/**
 * A task with the fields that its message also needs: the job's request id and span for logs and traces, and the
 * workspace for fair queueing.
 */
export type TracedTask = TaskRow & { workspaceId: string } & Pick<JobRow, 'requestId' | 'traceparent'>;

export interface UploadRow {
  storagePath: string;
  agentId: string;
  workspaceId: string;
  fileName: string;
  issuedAt: number;
  registeredAt: number | null;
  /** Number of bytes charged to the workspace at registration. The document takes over this charge. */
  bytes: number;
}
