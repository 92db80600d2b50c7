import type { PlacedChunk } from '../../knowledge/chunk-text.js';
import type { SourceType } from '../../knowledge/source-types.js';
import type { JsonObject } from '../../schemas/json.js';
import type { FailureCode } from '../../tasks/failures.js';
import type { JobStatus, JobType } from '../../tasks/job-types.js';
import type { JobTaskType, TaskPayloads } from '../../tasks/task-types.js';

/** `queued`: inside the agent's window, on its way to a worker. */
export type TaskStatus = JobStatus | 'queued';

/**
 * What every request and turn of an agent needs. Its settings may be hundreds of kilobytes, so they
 * are read separately.
 */
export interface AgentState {
  id: string;
  workspaceId: string;
  name: string;
  url: string | null;
  /** Goes up with every turn that writes. */
  version: number;
  /** Goes up with every document that is added, replaced or deleted; `removals` with every deletion. */
  knowledgeVersion: number;
  removals: number;
  /**
   * The space in which all that the agent knew at knowledge version `embeddedVersion` has vectors;
   * null when there is none.
   */
  embeddedAs: string | null;
  embeddedVersion: number;
  documents: Record<SourceType, number>;
  jobs: number;
  createdAt: number;
  lastTrainedAt: number | null;
  /** Auto-retrain counts its interval from here; null while it is off. */
  retrainBaseAt: number | null;
  /**
   * When the next task may be dispatched, and since when it could be; null when none waits or the
   * agent's own window is full.
   */
  nextDueAtMs: number | null;
}

/** What an agent is shown as. */
export type AgentProfile = Pick<AgentState, 'id' | 'name' | 'url' | 'createdAt'> & { settings: JsonObject };

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

/** What a document is shown as. */
export type ShownDocument = Pick<
  DocumentRow,
  'id' | 'sourceType' | 'title' | 'contentHash' | 'metadata' | 'createdAt' | 'lastCrawledAt'
>;

export interface DocumentContent {
  text: string;
  chunks: PlacedChunk[];
}

/** A content on its way into the store, with what it is found by (core/retrieval/index/segment.ts). */
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
  /** Tasks that count already and are still to be written: a big job is opened piece by piece. */
  tasksToCome: number;
  /** How far its tasks are written, or cancelled: the id of a page, or of a task; null when nothing is left to do. */
  openedUpTo: string | null;
  /** The job whose failed tasks this one tries again. */
  retryOf: number | null;
  /** Somebody has cancelled it; it may take some turns until all its tasks have ended. */
  cancelledAt: number | null;
  requestId: string | null;
  /** The span in which it was made, as in W3C Trace Context; null while tracing is off. */
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
  /** Document that a retrain renews, or that the task made. */
  documentId: string | null;
  /** The task may only renew `documentId`, not make a document. */
  isRetrain: boolean;
  status: TaskStatus;
  /** Number of the attempt that runs or ran last; 0 before the first. */
  attempts: number;
  /** Not to be dispatched before. */
  dueAtMs: number;
  /** Running: the attempt is lost when nothing is heard until then. */
  leaseUntilMs: number | null;
  /** The queue has confirmed the message of this attempt. */
  published: boolean;
  error: { code: FailureCode; message: string } | null;
}

/**
 * With what a worker must also know: the request and the span that made its job, for logs and traces,
 * and whose turn it is.
 */
export type TracedTask = TaskRow & { workspaceId: string } & Pick<JobRow, 'requestId' | 'traceparent'>;

export interface UploadRow {
  storagePath: string;
  agentId: string;
  workspaceId: string;
  fileName: string;
  issuedAt: number;
  registeredAt: number | null;
  /** Reserved in the workspace while the task runs; the document takes it over. */
  bytes: number;
}
