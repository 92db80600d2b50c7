import type { FailureCode } from '../jobs/failures.js';
import type { Chunk, TaskPayloads, TaskType } from '../jobs/wire.js';
import type { Overrides } from '../workspaces/entitlements.js';
import type { JsonObject } from './json.js';
import type { Health } from './plugin.port.js';

/*
 * The store, as core needs it: reads that never wait for an actor (AgentReads), the unit of work of one turn
 * (AgentTurn), what sweeps find without an actor (TaskSweeps, UploadSweeps), and what operators do (Workspaces).
 * Instants named `…At` are Unix seconds, `…AtMs` milliseconds. Every method rejects with StoreUnavailable when the database is.
 */

export type SourceType = 'web_crawl' | 'file_upload' | 'text_snippet' | 'qna_entry';
export type JobType = 'index_url' | 'index_files' | 'retrain';
export type JobStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
/** `queued`: inside the agent's window, on its way to a worker. */
export type TaskStatus = 'pending' | 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface AgentState {
  id: string;
  workspaceId: string;
  name: string;
  url: string | null;
  settings: JsonObject;
  /** Goes up with every turn that writes. */
  version: number;
  documents: Record<SourceType, number>;
  jobs: number;
  createdAt: number;
  lastTrainedAt: number | null;
  /** Auto-retrain counts its interval from here; null while it is off. */
  retrainBaseAt: number | null;
  /** When the next task may be dispatched; null when none waits or the window is full. */
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

export interface DocumentContent {
  text: string;
  chunks: Chunk[];
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
  requestId: string | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
}

export interface TaskRow {
  id: string;
  jobId: number;
  agentId: string;
  type: TaskType;
  target: string;
  payload: TaskPayloads[TaskType];
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

/** With the request that made its job, for the logs of every station. */
export type TracedTask = TaskRow & { requestId: string | null };

export interface UploadRow {
  path: string;
  agentId: string;
  workspaceId: string;
  fileName: string;
  issuedAt: number;
  registeredAt: number | null;
  /** Reserved in the workspace while the task runs; the document takes it over. */
  bytes: number;
}

export interface Workspace {
  id: string;
  name: string;
  plan: string;
  overrides: Overrides;
  agents: number;
  storageBytes: number;
  createdAt: number;
}

export interface ApiKeyRow {
  id: string;
  workspaceId: string;
  name: string;
  hint: string;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/** A page of a list: newest first, strictly older than `before`. Asks for one more than it shows to know if more follow. */
export interface PageRequest {
  limit: number;
  before: string | null;
}

export interface AgentReads {
  agent(workspaceId: string, agentId: string): Promise<AgentState | null>;
  /** Without their settings, which are `{}`. */
  agents(workspaceId: string, page: PageRequest): Promise<AgentState[]>;
  document(agentId: string, documentId: string): Promise<DocumentRow | null>;
  documents(agentId: string, page: PageRequest, sourceType: SourceType | null): Promise<DocumentRow[]>;
  content(agentId: string, documentId: string): Promise<DocumentContent | null>;
  jobs(agentId: string, page: PageRequest): Promise<JobRow[]>;
  /** A job and its tasks as they were at one instant. */
  job(agentId: string, jobId: number): Promise<{ job: JobRow; tasks: TaskRow[] } | null>;
  /** Most recent pending or running job. */
  activeJob(agentId: string): Promise<JobRow | null>;
  upload(agentId: string, path: string): Promise<UploadRow | null>;
}

/**
 * What one turn of an agent can see and do, inside one transaction that holds the agent's row. Reads see the turn's own
 * writes. Nothing is visible to others before the turn commits; a throw undoes all of it.
 */
export interface AgentTurn {
  readonly agent: AgentState;
  /** Merges into the agent's row; the version goes up once per turn. */
  change(patch: Partial<Omit<AgentState, 'id' | 'workspaceId' | 'version' | 'createdAt'>>): void;
  /** Deletes the agent with its documents and uploads; its open jobs and tasks become `cancelled`; objects go to the discards. */
  deleteAgent(now: number): Promise<void>;

  /** The agent's workspace, locked until the turn ends. */
  workspace(): Promise<Workspace>;
  /** Adds to the storage counter of the (locked) workspace; negative releases. The caller has compared with the limit. */
  addStorage(bytes: number): Promise<void>;

  documents: TurnDocuments;
  jobs: TurnJobs;
  uploads: TurnUploads;
}

export interface TurnDocuments {
  find(documentId: string): Promise<DocumentRow | null>;
  findByUrl(url: string): Promise<DocumentRow | null>;
  /** All indexed pages, oldest first: what a retrain needs of them. */
  pages(): Promise<Pick<DocumentRow, 'id' | 'url' | 'metadata'>[]>;
  /** Keeps the agent's counters. */
  insert(row: DocumentRow, content: DocumentContent): Promise<void>;
  /** Replaces the content, if given, in one piece. */
  update(documentId: string, patch: Partial<DocumentRow>, content?: DocumentContent): Promise<void>;
  /** Keeps the agent's counters. Its object, if it has one, goes to the discards. */
  delete(row: DocumentRow): Promise<void>;
}

export interface TurnJobs {
  /** Assigns the job id, and keeps the agent's counter. */
  insert(
    job: Omit<JobRow, 'id' | 'agentId' | 'workspaceId'>,
    tasks: Omit<TaskRow, 'jobId' | 'agentId'>[],
  ): Promise<JobRow>;
  job(jobId: number): Promise<JobRow | null>;
  updateJob(jobId: number, patch: Partial<JobRow>): Promise<void>;
  task(taskId: string): Promise<TaskRow | null>;
  updateTask(taskId: string, patch: Partial<TaskRow>): Promise<void>;
  /** True while a retrain has not ended. */
  retraining(): Promise<boolean>;
  /** Tasks that are queued or running now. */
  outstanding(): Promise<number>;
  /** Pending tasks, earliest due first. */
  waiting(limit: number): Promise<TracedTask[]>;
  /** Running tasks whose lease ended before `nowMs`. */
  stalled(nowMs: number): Promise<TaskRow[]>;
}

export interface TurnUploads {
  insert(rows: Pick<UploadRow, 'path' | 'fileName' | 'issuedAt'>[]): Promise<void>;
  find(path: string): Promise<UploadRow | null>;
  /** False when it was registered before. */
  register(path: string, bytes: number, now: number): Promise<boolean>;
  /** Forgets the upload row (a document owns the object now). */
  release(path: string): Promise<void>;
  /** Storage objects to delete, once this turn has committed. */
  discard(paths: string[], now: number): Promise<void>;
}

export interface AgentTurns {
  /**
   * Runs `turn` in a transaction that holds the agent's row. Deadlocks, busy databases and lost connections are retried around the
   * whole turn, so `turn` must have no other effects. Rejects with AgentGone when there is no such agent.
   * `known` saves reading the whole row when its version is still current.
   */
  run<T>(
    agentId: string,
    known: AgentState | null,
    turn: (turn: AgentTurn) => Promise<T>,
  ): Promise<{ result: T; state: AgentState | null }>;
  /** One transaction: counts the agent against `limit` and inserts it; false when the allowance is used up. */
  create(agent: AgentState, limitOf: (workspace: Workspace) => number): Promise<boolean>;
}

export interface TaskSweeps {
  /** Agents with a task that is due and room in their window, longest due first. */
  agentsWithDueTasks(nowMs: number, limit: number): Promise<string[]>;
  /** Agents with a running task whose lease has ended. */
  agentsWithStalledTasks(nowMs: number, limit: number): Promise<string[]>;
  /** Queued tasks that the queue has not confirmed for `olderThanMs`. */
  unpublished(beforeMs: number, limit: number): Promise<TracedTask[]>;
  /** Only the very attempt that was confirmed. */
  markPublished(attempts: { taskId: string; attempt: number }[]): Promise<void>;
  /** Queued tasks that were published and not taken since `beforeMs`: gone, if the queue is empty. */
  untaken(beforeMs: number, limit: number): Promise<TracedTask[]>;
  /** True when the attempt is still the current one. */
  extendLease(taskId: string, attempt: number, untilMs: number): Promise<boolean>;
  /** For a queue that forgot everything: all queued and running tasks count as unpublished again. Returns how many. */
  forgetPublished(): Promise<number>;
  /** Agents whose auto-retrain interval is over. */
  agentsToRetrain(baseBefore: number, limit: number): Promise<string[]>;
}

/** A storage object that nobody needs any more. */
export interface Discard {
  path: string;
  discardedAt: number;
}

export interface UploadSweeps {
  /** Moves uploads that were never registered to the discards. Returns how many. */
  abandon(issuedBefore: number, limit: number): Promise<number>;
  /** Discarded before `before`, oldest first, those behind `after` only. */
  discards(before: number, after: Discard | null, limit: number): Promise<Discard[]>;
  addDiscards(paths: string[], now: number): Promise<void>;
  /** Forgets them, but for those that were discarded once more meanwhile. */
  discarded(discards: Discard[]): Promise<void>;
}

export interface NewWorkspace {
  id: string;
  name: string;
  plan: string;
  overrides: Overrides;
  createdAt: number;
}

export interface NewApiKey {
  id: string;
  workspaceId: string;
  name: string;
  hint: string;
  hash: string;
  createdAt: number;
}

export interface Workspaces {
  /** Makes both only in a database that never had a workspace, however many processes try at once. False when there was one. */
  createFirst(workspace: NewWorkspace, key: NewApiKey): Promise<boolean>;
  create(workspace: NewWorkspace): Promise<void>;
  list(): Promise<Workspace[]>;
  find(id: string): Promise<Workspace | null>;
  /** What `change` makes of the workspace as it is now; two changes at once come one after the other. False when there is none. */
  update(id: string, change: (now: Workspace) => { plan?: string; overrides?: Overrides }): Promise<boolean>;
  addKey(key: NewApiKey): Promise<void>;
  keys(workspaceId: string): Promise<ApiKeyRow[]>;
  /** False when there is no such key in the workspace. Revoking twice is fine. */
  revokeKey(workspaceId: string, keyId: string, now: number): Promise<boolean>;
  /** The workspace of an active key; one indexed statement. */
  findByKeyHash(hash: string): Promise<{ keyId: string; workspace: Workspace } | null>;
  touchKeys(keyIds: string[], now: number): Promise<void>;
}

/** What an operator sees across all agents. */
export interface Operations {
  jobs(
    filter: { status?: JobStatus; agentId?: string; workspaceId?: string; createdBefore?: number },
    page: PageRequest,
  ): Promise<JobRow[]>;
  job(jobId: number): Promise<{ job: JobRow; tasks: TaskRow[] } | null>;
  /** Tasks that ended as dead letters (WORKER_CRASHED), newest first, at most `limit` of them. */
  deadLetters(
    filter: { jobId?: number; agentId?: string },
    page: PageRequest,
  ): Promise<(TaskRow & { workspaceId: string })[]>;
  /** Jobs of the agent that these requests made: request id to job id. */
  jobsOfRequests(agentId: string, requestIds: string[]): Promise<Map<string, number>>;
  /** How many jobs and tasks are in which state, for metrics. */
  counts(): Promise<{ jobs: Partial<Record<JobStatus, number>>; tasks: Partial<Record<TaskStatus, number>> }>;
}

export interface Store {
  reads: AgentReads;
  turns: AgentTurns;
  tasks: TaskSweeps;
  uploads: UploadSweeps;
  workspaces: Workspaces;
  operations: Operations;
  /** The installation's secret, made at the first call ever. */
  secret(): Promise<Uint8Array>;
  /** Applies pending migrations under a lock; returns their names. `pending` only looks. */
  migrate(): Promise<string[]>;
  pending(): Promise<string[]>;
  /** The time by the database's clock, in Unix milliseconds. */
  now(): Promise<number>;
  health(): Promise<Health>;
  close(): Promise<void>;
}

/** The agent does not exist (any more). */
export class AgentGone extends Error {
  constructor(agentId: string) {
    super(`no agent ${agentId}`);
    this.name = 'AgentGone';
  }
}

/** The database did not take or answer a statement, for a reason that lies outside of the statement. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is not available', { cause });
    this.name = 'StoreUnavailable';
  }
}
