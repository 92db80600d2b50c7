import type { TaskProgress } from '../../tasks/wire.js';
import type { TracedTask } from './rows.js';

/** An agent with due tasks that have not been admitted yet. */
export interface AgentInLine {
  agentId: string;
  workspaceId: string;
}

/** Lists return up to `limit` rows. They take no locks: the turn that follows checks again. */
export interface TaskSweeps {
  /** Returns agents whose `nextDueAtMs` is at most `nowMs`, longest waiting first. Skips the workspaces `except`. */
  agentsInLine(nowMs: number, except: readonly string[], limit: number): Promise<AgentInLine[]>;
  /** Returns the number of queued and running tasks by workspace, without zeros. */
  underWay(): Promise<Map<string, number>>;
  /** Returns the distinct agents of the first `limit` running tasks whose lease ended before `nowMs`. */
  agentsWithStalledTasks(nowMs: number, limit: number): Promise<string[]>;
  /** Returns queued tasks, due before `beforeMs`, that the queue has not confirmed, longest due first. */
  unpublished(beforeMs: number, limit: number): Promise<TracedTask[]>;
  /** Records that the queue has confirmed these attempts. Tasks with another state or attempt are not changed. */
  markPublished(attempts: { taskId: string; attempt: number }[]): Promise<void>;
  /** Returns the number of queued tasks that the queue has confirmed. */
  published(): Promise<number>;
  /** Returns queued tasks after `after`, due before `beforeMs`, that the queue has confirmed, longest due first. */
  untaken(
    beforeMs: number,
    limit: number,
    after?: Pick<TracedTask, 'dueAtMs' | 'id'> | null,
  ): Promise<TracedTask[]>;
  /** Returns false if this is not the running attempt. */
  extendLease(taskId: string, attempt: number, untilMs: number, progress?: TaskProgress): Promise<boolean>;
  /**
   * Resets all queued and running tasks to queued and unpublished, in the same attempt. For a queue that has lost its
   * messages. Returns the number of tasks.
   */
  forgetPublished(): Promise<number>;
  /** Returns jobs with tasks that still have to be created or cancelled. */
  jobsToOpen(limit: number): Promise<{ agentId: string; jobId: number }[]>;
  /** Returns agents with jobs that ended before this second. */
  agentsWithOldJobs(before: number, limit: number): Promise<string[]>;
  /**
   * Returns agents whose auto-retrain is due, earliest first: by their schedule, or without one if `retrainBaseAt` is at
   * most `baseBefore`. Also returns scheduled agents whose last run lies after `now`, because the clock was set back.
   */
  agentsToRetrain(now: number, baseBefore: number, limit: number): Promise<string[]>;
}

/**
 * Pauses in seconds between passes over the tables, after the first pass that finds no rows. A transaction that began
 * before the deletion may still commit rows after a pass. The sum of the pauses is longer than any transaction.
 */
export const REMAINS_PAUSES_S = [1, 5, 30, 120] as const;

/** A storage object to be deleted. */
export interface Discard {
  path: string;
  discardedAt: number;
}

export interface UploadSweeps {
  /**
   * Discards up to `limit` uploads that were issued at `issuedBefore` or earlier and never registered, oldest first.
   * Returns their number.
   */
  abandon(issuedBefore: number, limit: number): Promise<number>;
  /** Returns up to `limit` objects discarded before `before`, by time and path, after `after` if given. */
  discards(before: number, after: Discard | null, limit: number): Promise<Discard[]>;
  addDiscards(paths: string[], now: number): Promise<void>;
  /** Returns the paths (`agents/…`, `results/…`) that no upload, document, open task or discard refers to. */
  strays(paths: string[]): Promise<string[]>;
  /** Deletes the entries of deleted objects, except objects that have been discarded again. */
  discarded(discards: Discard[]): Promise<void>;
}

/** Data of deleted agents: documents, uploads, jobs and tasks. */
export interface Remains {
  /** Returns up to `limit` deleted agents to clear. An agent is due several times, because a race may leave rows behind. */
  list(now: number, limit: number): Promise<{ agentId: string; workspaceId: string }[]>;
  /**
   * Deletes a small batch of the agent's rows in one transaction, releases its storage and discards its objects.
   * Returns the number of rows.
   */
  clear(agent: { agentId: string; workspaceId: string }, now: number): Promise<number>;
}

/** Uploads in progress to a storage plugin that receives them in API processes, counted for the installation. */
export interface ArrivingUploads {
  /**
   * Reserves `bytes` more for this upload. `full`: the workspace's unregistered uploads would exceed `mostBytes`.
   * `closed`: the agent was deleted, or the upload was registered or removed. Both change nothing.
   */
  begin(path: string, bytes: number, mostBytes: number): Promise<'accepted' | 'full' | 'closed'>;
  /**
   * Replaces the reserved `bytes` with the size of the stored upload (null: none was stored). Returns false if the
   * upload is closed.
   */
  end(path: string, bytes: number, stored: number | null): Promise<boolean>;
}

/** Finds documents without an index of the current analyser version. */
export interface IndexSweeps {
  agentsToIndex(limit: number): Promise<string[]>;
  /** Returns up to `limit` documents after `after` with an outdated or missing index, by id. */
  documentsToIndex(agentId: string, after: string, limit: number): Promise<string[]>;
  /** Returns the number of agents to index, and the total number of their documents. */
  left(): Promise<{ agents: number; documents: number }>;
  /** Marks the agent and all its documents as not indexed. */
  reopen(agentId: string): Promise<void>;
}
