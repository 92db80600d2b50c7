import type { SitemapReport } from '../../knowledge/sitemap.js';
import type { SourceType } from '../../knowledge/source-types.js';
import type { JsonObject } from '../../schemas/json.js';
import type { WebhookEvent } from '../../schemas/webhook-events.js';
import type { KeptAnswer, TurnAnswers } from './kept-answers.js';
import type { AgentState, DocumentRow, JobRow, NewContent, TaskRow, TracedTask, UploadRow } from './rows.js';
import type { TurnVectors } from './vectors.js';
import type { Counted, Workspace } from './workspaces.js';

/**
 * What one turn of an agent can see and do, inside one transaction that holds the agent's row. Reads see the
 * turn's own writes. Changes are made in memory, and written together at the end. Nothing is visible to
 * others before the turn commits; a throw undoes all of it.
 */
export interface AgentTurn {
  readonly agent: AgentState;
  /** True once this turn has deleted the agent. */
  readonly deleted: boolean;
  /**
   * Runs one of several works of a turn. When it throws, its changes are taken back, and the turn can go on:
   * rejects with what it threw. When some of its changes were written already, rejects with TurnSpoiled: then
   * the turn as a whole must be given up.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** The agent's settings as this turn has them: read when asked for. */
  settings(): Promise<JsonObject>;
  /** Replaces the settings as a whole. */
  changeSettings(settings: JsonObject): void;
  /** Merges into the agent's row; the version goes up once per turn. */
  change(patch: Partial<Omit<AgentState, 'id' | 'workspaceId' | 'version' | 'createdAt'>>): void;
  /**
   * Deletes the agent. With this turn's commit it is gone for everybody, its place in the agent allowance is
   * free, and its tasks that are queued or running are gone. A piece of what it held goes at once: its
   * storage is given back, its objects go to the discards. Remains clears away the rest.
   */
  deleteAgent(now: number): Promise<void>;

  /** The agent's workspace, locked until the turn ends. */
  workspace(): Promise<Workspace>;
  /** The agent's workspace as it was last committed, with what this turn adds. Takes no lock. */
  workspaceNow(): Promise<Workspace>;
  /**
   * Adds to the workspace's storage counter; negative releases. With `below`, the counter must be less than that at
   * the commit: if other turns have come first, this turn is undone and runs again with the workspace locked. Without
   * it, the caller has locked the workspace and checked the limit.
   */
  addStorage(bytes: number, below?: number): Promise<void>;

  /** With this turn's commit, a delivery waits for each webhook of the workspace that wants this event. */
  announce(event: WebhookEvent): void;

  documents: TurnDocuments;
  vectors: TurnVectors;
  jobs: TurnJobs;
  uploads: TurnUploads;
  answers: TurnAnswers;
}

export interface IndexedPage {
  id: string;
  url: string;
  contentHash: string;
  metadata: JsonObject;
}

export interface StoredSitemap {
  report: SitemapReport;
  /** Pages that still get a task. */
  pages: string[];
}

export interface TurnDocuments {
  /** Reads these documents in one statement, so that `find` needs none. */
  load(documentIds: string[]): Promise<void>;
  find(documentId: string): Promise<DocumentRow | null>;
  findByUrl(url: string): Promise<DocumentRow | null>;
  /** The oldest document of this type whose content has this hash. */
  findByContent(sourceType: SourceType, contentHash: string): Promise<DocumentRow | null>;
  /**
   * Up to `limit` pages after this id (null: from the first on), in the order of their ids: what a
   * retrain needs of them.
   */
  pages(after: string | null, limit: number): Promise<IndexedPage[]>;
  /** Counts it in the agent's row, whose knowledge version goes up. Charges no storage. */
  insert(row: DocumentRow, content: NewContent): Promise<void>;
  /** Replaces the content, if given, in one piece; then the knowledge version goes up. Charges no storage. */
  update(documentId: string, patch: Partial<DocumentRow>, content?: NewContent): Promise<void>;
  /**
   * Stored content is found by this from now on. The knowledge version stays as it is when it was
   * found by the same before.
   */
  reindex(documentId: string, content: Omit<NewContent, 'text'>): Promise<void>;
  /** Remembers that all documents are indexed by the present rules, and drops what deleted documents were found by. */
  finishIndexing(): Promise<void>;
  /**
   * Deletes the document and counts it off in the agent's row. The rest counts as having all vectors if all
   * had them before. Gives back no storage, and leaves its object to the caller (`uploads.discard`).
   */
  delete(row: DocumentRow): Promise<void>;
}

export type NewJob = Omit<JobRow, 'id' | 'agentId' | 'workspaceId'>;

export interface TurnJobs {
  /**
   * Assigns the job id, and counts the job in the agent's row. A task for a page for which the
   * agent has an open task follows that one: it stays pending, uses no slot of the window and ends with it. A task
   * has at most 100 followers.
   */
  insert(job: NewJob, tasks: Omit<TaskRow, 'jobId' | 'agentId'>[]): Promise<JobRow>;
  /** Further tasks of a job that was made in an earlier turn. */
  addTasks(jobId: number, tasks: Omit<TaskRow, 'jobId' | 'agentId'>[]): Promise<void>;
  job(jobId: number): Promise<JobRow | null>;
  updateJob(jobId: number, patch: Partial<JobRow>): Promise<void>;
  task(taskId: string): Promise<TaskRow | null>;
  updateTask(taskId: string, patch: Partial<TaskRow>): Promise<void>;
  /** Tasks of a job that have not ended: first those that wait, at most `limit`. */
  openTasks(jobId: number, limit: number): Promise<TaskRow[]>;
  /** Failed tasks of a job behind this id (null: from the first on), in the order of their ids. */
  failedTasks(jobId: number, after: string | null, limit: number): Promise<TaskRow[]>;
  /** They are cancelled. Tasks of other jobs that follow them follow the first of their own instead. */
  cancelTasks(taskIds: readonly string[]): Promise<void>;
  /**
   * Deletes jobs that ended before this second, oldest first, with their tasks, and counts them off in the
   * agent's row. At most `limit` tasks in one turn.
   */
  forget(before: number, limit: number): Promise<void>;
  /** What a job has found in a sitemap. */
  sitemap(jobId: number): Promise<StoredSitemap | null>;
  keepSitemap(jobId: number, sitemap: StoredSitemap): Promise<void>;
  /** Pending tasks that end with this one, in the order of their ids. */
  followers(taskId: string): Promise<TaskRow[]>;
  /** The jobs of those tasks, where they were pending, run from `now` on. */
  startFollowers(taskId: string, now: number): Promise<void>;
  /** True while a retrain of the agent is pending or running. */
  retraining(): Promise<boolean>;
  underWay(): Promise<UnderWay>;
  /** Up to `limit` pending tasks that follow none, earliest due first, those that are not due yet included. */
  waiting(limit: number): Promise<TaskRow[]>;
  /** With what a message about them says of their jobs. */
  traced(tasks: readonly TaskRow[]): Promise<TracedTask[]>;
  /** Running tasks whose lease ended before `nowMs`. */
  stalled(nowMs: number): Promise<TaskRow[]>;
}

export interface TurnUploads {
  /** What the workspace's unregistered uploads hold, this turn's included. The workspace must be locked. */
  open(): Promise<{ count: number; bytes: number }>;
  insert(rows: Pick<UploadRow, 'storagePath' | 'fileName' | 'issuedAt'>[]): Promise<void>;
  find(path: string): Promise<UploadRow | null>;
  /** False when the agent has no such upload, or it was registered before. */
  register(path: string, bytes: number, now: number): Promise<boolean>;
  /** Forgets the upload row (a document owns the object now). */
  release(path: string): Promise<void>;
  /** Storage objects to delete after this turn's commit. One that was discarded before counts as discarded at `now`. */
  discard(paths: string[], now: number): Promise<void>;
}

export interface AgentTurns {
  /**
   * Runs `turn` in a transaction that holds the agent's row; resolves to its result and the agent's state after it
   * (null: deleted). Rejects with what `turn` throws, and then nothing has happened. Rejects with AgentGone when
   * there is no such agent. Deadlocks, busy databases and lost connections are retried around the whole turn, so
   * `turn` must have no other effects. `known`, the state after an earlier turn, saves reading the row while its
   * version is current.
   */
  run<T>(
    agentId: string,
    known: AgentState | null,
    turn: (turn: AgentTurn) => Promise<T>,
  ): Promise<{ result: T; state: AgentState | null }>;
  /**
   * In one transaction, inserts the agent and counts it in its workspace; false when that has as many as
   * `limitOf` allows, or more. `answer` is stored with it; rejects with KeyTaken, with nothing done, when its
   * key was used before. Webhooks are told what `eventOf` makes of the new number of agents.
   */
  create(
    agent: AgentState,
    limitOf: (workspace: Workspace) => number,
    options?: { answer?: KeptAnswer | null; eventOf?: (agents: Counted) => WebhookEvent | null },
  ): Promise<boolean>;
}

/** Tasks that are queued or running now. */
export interface UnderWay {
  agent: number;
  /** Of the agent's workspace. */
  workspace: number;
  all: number;
}
