import type { TracedTask } from './rows.js';

/** An agent with due tasks that are not admitted yet. */
export interface AgentInLine {
  agentId: string;
  workspaceId: string;
}

/** Lists return up to `limit` rows. They take no locks: the turn that follows checks again. */
export interface TaskSweeps {
  /** Agents of other workspaces than `except` whose `nextDueAtMs` is at most `nowMs`, longest waiting first. */
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
  extendLease(taskId: string, attempt: number, untilMs: number): Promise<boolean>;
  /**
   * Makes all queued and running tasks queued and unpublished, in the same attempt, after the queue has lost its
   * messages. Returns how many.
   */
  forgetPublished(): Promise<number>;
  /** Jobs with tasks that are not created or cancelled yet. */
  jobsToOpen(limit: number): Promise<{ agentId: string; jobId: number }[]>;
  /** Agents of jobs that ended before this second. */
  agentsWithOldJobs(before: number, limit: number): Promise<string[]>;
  /** Agents whose `retrainBaseAt` is at most `baseBefore`, earliest first. */
  agentsToRetrain(baseBefore: number, limit: number): Promise<string[]>;
}

/**
 * Pauses in seconds between passes over the tables after the first that finds no more rows. Writers outside of the
 * agent's turns check that it exists, but a transaction that began before the deletion may commit after a pass. The sum
 * is longer than any transaction.
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
   * Returns how many.
   */
  abandon(issuedBefore: number, limit: number): Promise<number>;
  /** Returns up to `limit` objects discarded before `before`, by time and path, after `after` if given. */
  discards(before: number, after: Discard | null, limit: number): Promise<Discard[]>;
  addDiscards(paths: string[], now: number): Promise<void>;
  /** Returns the paths (`agents/…`, `results/…`) that no upload, document, open task or discard refers to. */
  strays(paths: string[]): Promise<string[]>;
  /** Deletes the entries, except objects that have been discarded again. */
  discarded(discards: Discard[]): Promise<void>;
}

/** Data of deleted agents: documents, uploads, jobs and tasks. */
export interface Remains {
  /** Returns up to `limit` deleted agents to clear. An agent is due several times, because a race may leave rows behind. */
  list(now: number, limit: number): Promise<{ agentId: string; workspaceId: string }[]>;
  /**
   * Deletes a small batch in one transaction, releases its storage and discards its objects. Returns the number of its
   * rows.
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
  /** Replaces the reserved `bytes` by the bytes to be stored (null: none). Returns false if the upload is closed. */
  end(path: string, bytes: number, stored: number | null): Promise<boolean>;
}

/** Documents without an index of the current analyser version. */
export interface IndexSweeps {
  agentsToIndex(limit: number): Promise<string[]>;
  /** Returns up to `limit` documents after `after` with an outdated or missing index, by id. */
  documentsToIndex(agentId: string, after: string, limit: number): Promise<string[]>;
  /** Returns the number of agents to index, and of all their documents. */
  left(): Promise<{ agents: number; documents: number }>;
  /** Marks the agent and all its documents as not indexed. */
  reopen(agentId: string): Promise<void>;
}
