import type { SourceType } from '../../../knowledge/sources/source-types.js';
import type { SitemapReport } from '../../../knowledge/urls/sitemap-report.js';
import type { JsonObject } from '../../../schemas/json.js';
import type { WebhookEvent } from '../../../schemas/webhook-events.js';
import type { ChangeContext, ChangeOutcome } from '../audit.js';
import type { TurnChannel } from '../channels/channels.js';
import type { TurnEvaluations } from '../conversations/evaluations.js';
import type { TurnVectors } from '../knowledge/vectors.js';
import type {
  AgentState,
  DocumentRow,
  JobRow,
  NewContent,
  NewJob,
  TaskRow,
  TracedTask,
  UploadRow,
} from '../rows.js';
import type { StoredResponse, TurnResponses } from '../stored-responses.js';
import type { Counted, Workspace } from '../workspaces.js';
import type { TurnSecrets } from './agent-secrets.js';
import type { TurnCopies } from './copies.js';
import type { TurnDraft } from './drafts.js';
import type { TurnFailures } from './failures.js';
import type { PageChange } from './page-changes.js';
import type { TurnPictures } from './pictures.js';
import type { TurnSites } from './sites.js';
import type { TurnVersions } from './versions.js';

/**
 * The unit of work of one turn of an agent: a transaction that locks the agent's row. Changes are buffered and
 * written in batches at the end; reads see them. A throw rolls back the turn.
 */
export interface AgentTurn {
  readonly agent: AgentState;
  /** True once this turn has deleted the agent. */
  readonly deleted: boolean;
  /**
   * Runs a part of the turn. If it throws, its changes are undone and the turn can continue. If some of them were
   * already written, rejects with TurnSpoiled, and the whole turn must be rolled back.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the settings with this turn's changes. Read on demand. */
  settings(): Promise<JsonObject>;
  /** Replaces all settings. */
  changeSettings(settings: JsonObject): void;
  /** Merges the patch into the agent's row. The version is incremented once per turn. */
  change(patch: Partial<Omit<AgentState, 'id' | 'workspaceId' | 'version' | 'createdAt'>>): void;
  /**
   * Deletes the agent, its queued and running tasks and a first batch of its data: storage is released, objects are
   * discarded. Remains deletes the rest later.
   */
  deleteAgent(now: number): Promise<void>;

  /** Returns the workspace, and locks it until the turn ends. */
  workspace(): Promise<Workspace>;
  /** Returns the committed workspace plus this turn's changes. Takes no lock. */
  workspaceNow(): Promise<Workspace>;
  /**
   * Adds to the workspace's storage counter; negative bytes are released. With `below`, the counter must be less than
   * that at the commit; otherwise the turn is rolled back and runs again with the workspace locked. Without `below`,
   * the caller must have locked the workspace and checked the limit.
   */
  addStorage(bytes: number, below?: number): Promise<void>;

  /** Creates a delivery for each webhook of the workspace that subscribes to this event. */
  announce(event: WebhookEvent): void;

  /** Number of changes so far. It tells whether a message has changed anything. */
  readonly changes: number;
  /** Adds a row to the audit log. */
  audit(change: ChangeContext, outcome: ChangeOutcome): void;

  documents: TurnDocuments;
  vectors: TurnVectors;
  jobs: TurnJobs;
  uploads: TurnUploads;
  responses: TurnResponses;
  secrets: TurnSecrets;
  versions: TurnVersions;
  failures: TurnFailures;
  sites: TurnSites;
  draft: TurnDraft;
  pictures: TurnPictures;
  copies: TurnCopies;
  channel: TurnChannel;
  evaluations: TurnEvaluations;
}

export interface IndexedPage {
  id: string;
  url: string;
  contentHash: string;
  metadata: JsonObject;
}

interface StoredSitemap {
  report: SitemapReport;
  /** Pages without a task so far. */
  pages: string[];
}

export interface TurnDocuments {
  /** Prefetches these documents with one statement, for `find`. */
  load(documentIds: string[]): Promise<void>;
  find(documentId: string): Promise<DocumentRow | null>;
  findByUrl(url: string): Promise<DocumentRow | null>;
  /** Returns the stored text; null if there is no such document. */
  text(documentId: string): Promise<string | null>;
  /** Returns the oldest document of this type whose content has this hash. */
  findByContent(sourceType: SourceType, contentHash: string): Promise<DocumentRow | null>;
  /** Returns up to `limit` pages after this id (null: from the first), by id. */
  pages(after: string | null, limit: number): Promise<IndexedPage[]>;
  /** Updates the agent's counter and knowledge version. Charges no storage. */
  insert(row: DocumentRow, content: NewContent): Promise<void>;
  /** New content replaces the old content completely and increments the knowledge version. Charges no storage. */
  update(documentId: string, patch: Partial<DocumentRow>, content?: NewContent): Promise<void>;
  /** Adds a change of a page's text. The document keeps the newest ones. */
  recordChange(documentId: string, change: PageChange): void;
  /** Replaces the index of the content. Increments the knowledge version unless the index is the same. */
  reindex(documentId: string, content: Omit<NewContent, 'text'>): Promise<void>;
  /** Records that all documents have the current index version, and deletes the index of deleted documents. */
  finishIndexing(): Promise<void>;
  /**
   * Deletes the document and updates the agent's counter. If all documents counted as embedded, the others still do.
   * The caller releases the storage and discards the object (`uploads.discard`).
   */
  delete(row: DocumentRow): Promise<void>;
}

export interface TurnJobs {
  /** Prefetches tasks, their followers and their jobs for the other methods. Returns the tasks that exist. */
  load(tasks: readonly { taskId: string; jobId: number }[]): Promise<TaskRow[]>;
  /**
   * Assigns the job id and updates the agent's counter. If the agent already has an open task for a page, the new task
   * follows that task: it stays pending, does not count towards the window, and ends with the task it follows. A task
   * has at most 100 followers.
   */
  insert(job: NewJob, tasks: Omit<TaskRow, 'jobId' | 'agentId'>[]): Promise<JobRow>;
  /** Adds tasks to a job that was created in an earlier turn. */
  addTasks(jobId: number, tasks: Omit<TaskRow, 'jobId' | 'agentId'>[]): Promise<void>;
  job(jobId: number): Promise<JobRow | null>;
  updateJob(jobId: number, patch: Partial<JobRow>): Promise<void>;
  task(taskId: string): Promise<TaskRow | null>;
  updateTask(taskId: string, patch: Partial<TaskRow>): Promise<void>;
  /** Returns up to `limit` unfinished tasks of a job, pending ones first. */
  openTasks(jobId: number, limit: number): Promise<TaskRow[]>;
  /** Returns failed tasks of a job after this id (null: from the first), by id. */
  failedTasks(jobId: number, after: string | null, limit: number): Promise<TaskRow[]>;
  /** Cancels tasks. The first follower of each becomes the leader of its other followers. */
  cancelTasks(taskIds: readonly string[]): Promise<void>;
  /**
   * Deletes jobs that ended before this second, oldest first, with at most `limit` tasks in total, and updates the
   * agent's counter.
   */
  forget(before: number, limit: number): Promise<void>;
  sitemap(jobId: number): Promise<StoredSitemap | null>;
  keepSitemap(jobId: number, sitemap: StoredSitemap): Promise<void>;
  /** Returns the pending tasks that follow this one, by id. */
  followers(taskId: string): Promise<TaskRow[]>;
  /** Sets the pending jobs of the followers to running. */
  startFollowers(taskId: string, now: number): Promise<void>;
  /** Returns whether a retrain of the agent is pending or running. */
  retraining(): Promise<boolean>;
  underWay(): Promise<UnderWay>;
  /** Returns up to `limit` pending tasks that follow no other, earliest due first, even if not due yet. */
  waiting(limit: number): Promise<TaskRow[]>;
  /** Adds the job's fields that a task message contains. */
  traced(tasks: readonly TaskRow[]): Promise<TracedTask[]>;
  /** Returns running tasks whose lease ended before `nowMs`. */
  stalled(nowMs: number): Promise<TaskRow[]>;
}

export interface TurnUploads {
  /**
   * Returns number and size of the workspace's unregistered uploads, including those of this turn. Lock the workspace
   * first.
   */
  open(): Promise<{ count: number; bytes: number }>;
  insert(rows: Pick<UploadRow, 'storagePath' | 'fileName' | 'issuedAt'>[]): Promise<void>;
  find(path: string): Promise<UploadRow | null>;
  /** Returns false if the agent has no such upload, or it is already registered. */
  register(path: string, bytes: number, now: number): Promise<boolean>;
  /** Deletes the upload row, because a document owns the object now. */
  release(path: string): Promise<void>;
  /** Schedules the deletion of objects. Discarding an object again restarts its delay at `now`. */
  discard(paths: string[], now: number): Promise<void>;
}

export interface AgentTurns {
  /**
   * Runs `turn` in a transaction that locks the agent's row. Returns its result and the new state of the agent (null:
   * deleted). If `turn` throws, rolls back and rejects with its error. Rejects with AgentGone if the agent does not
   * exist. The whole turn is retried after deadlocks, lock timeouts and lost connections, so `turn` must have no other
   * effects. `known`, the state after an earlier turn, saves reading the row if its version is current.
   */
  run<T>(
    agentId: string,
    known: AgentState | null,
    turn: (turn: AgentTurn) => Promise<T>,
  ): Promise<{ result: T; state: AgentState | null }>;
  /**
   * Inserts the agent with its settings, if any, and updates the workspace's counter. Returns false if the workspace has reached `limitOf`.
   * `response` is stored in the same transaction; rejects with KeyTaken, and does nothing, if its key was used before.
   * `eventOf` returns the webhook event for the new number of agents.
   */
  create(
    agent: AgentState,
    limitOf: (workspace: Workspace) => number,
    options?: {
      settings?: JsonObject;
      response?: StoredResponse | null;
      eventOf?: (agents: Counted) => WebhookEvent | null;
    },
  ): Promise<boolean>;
}

/** Number of queued and running tasks. */
export interface UnderWay {
  agent: number;
  workspace: number;
  all: number;
}
