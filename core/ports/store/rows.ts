import type { SourceType } from '../../knowledge/sources/source-types.js';
import type { PlacedChunk } from '../../knowledge/text/chunk-text.js';
import type { AgentProfile } from '../../schemas/agent-profile.js';
import type { JsonObject } from '../../schemas/json.js';
import type { FailureCode } from '../../tasks/failures.js';
import type { JobStatus, JobType } from '../../tasks/job-types.js';
import type { JobTaskType, TaskPayloads } from '../../tasks/task-types.js';

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
  /** The space in which all documents of knowledge version `embeddedVersion` have vectors; null if none. */
  embeddedAs: string | null;
  embeddedVersion: number;
  documents: Record<SourceType, number>;
  jobs: number;
  createdAt: number;
  lastTrainedAt: number | null;
  /** Start of the auto-retrain interval; null if auto-retrain is off. */
  retrainBaseAt: number | null;
  /**
   * When the next task may be dispatched, or since when it could have been; null if no task is pending or the agent's
   * own window is full.
   */
  nextDueAtMs: number | null;
}

export interface DocumentRow {
  id: string;
  agentId: string;
  workspaceId: string;
  sourceType: SourceType;
  title: string;
  /** Charged to the workspace. */
  bytes: number;
  /** web_crawl only: the normalised URL. */
  url: string | null;
  /** file_upload only. */
  storagePath: string | null;
  contentHash: string;
  metadata: JsonObject;
  createdAt: number;
  lastCrawledAt: number | null;
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
  status: JobStatus;
  tasksCount: number;
  tasksEnded: number;
  tasksFailed: number;
  /** Tasks that are counted but not yet created. Those of a big job are created in batches. */
  tasksToCome: number;
  /** Tasks are created or cancelled up to this id of a page or task; null if all are. */
  openedUpTo: string | null;
  /** The job whose failed tasks this one retries. */
  retryOf: number | null;
  /** When it was cancelled. Ending all its tasks may take several turns. */
  cancelledAt: number | null;
  requestId: string | null;
  /** The span in which it was created (W3C Trace Context); null if tracing is off. */
  traceparent: string | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
}

export interface TaskRow {
  id: string;
  jobId: number;
  agentId: string;
  type: JobTaskType;
  target: string;
  payload: TaskPayloads[JobTaskType];
  /** The document that the task updates or has created. */
  documentId: string | null;
  /** The task may update `documentId` but not create a document. */
  isRetrain: boolean;
  status: TaskStatus;
  /** Number of the current or last attempt; 0 before the first. */
  attempts: number;
  /** Earliest time of dispatch. */
  dueAtMs: number;
  /** While running: the attempt is lost without a heartbeat until then. */
  leaseUntilMs: number | null;
  /** The queue has confirmed the message of this attempt. */
  published: boolean;
  error: { code: FailureCode; message: string } | null;
}

/**
 * A task with the fields that its message also needs: request and span of the job, for logs and traces, and the
 * workspace, for fair queueing.
 */
export type TracedTask = TaskRow & { workspaceId: string } & Pick<JobRow, 'requestId' | 'traceparent'>;

export interface UploadRow {
  storagePath: string;
  agentId: string;
  workspaceId: string;
  fileName: string;
  issuedAt: number;
  registeredAt: number | null;
  /** Charged to the workspace at registration, and to be taken over by the document. */
  bytes: number;
}
