import type { TracedTask } from './rows.js';

/** An agent with tasks that are due and were not let in so far. */
export interface AgentInLine {
  agentId: string;
  workspaceId: string;
}

/** Lists give up to `limit` rows. They are looked for without a lock: the turn that follows looks again. */
export interface TaskSweeps {
  /** Agents of other workspaces than `except` whose `nextDueAtMs` is at most `nowMs`, longest waiting first. */
  agentsInLine(nowMs: number, except: readonly string[], limit: number): Promise<AgentInLine[]>;
  /** How many tasks of each workspace are queued or running; workspaces without any are missing. */
  underWay(): Promise<Map<string, number>>;
  /** Agents of the first `limit` running tasks whose lease ended before `nowMs`, each once. */
  agentsWithStalledTasks(nowMs: number, limit: number): Promise<string[]>;
  /** Queued tasks that were due before `beforeMs` and that the queue has not confirmed, longest due first. */
  unpublished(beforeMs: number, limit: number): Promise<TracedTask[]>;
  /**
   * Notes that the queue has these attempts. Tasks that are not queued any more, or are in another
   * attempt, stay as they are.
   */
  markPublished(attempts: { taskId: string; attempt: number }[]): Promise<void>;
  /** How many queued tasks the queue has confirmed, and so should hold. */
  published(): Promise<number>;
  /** Queued tasks that were due before `beforeMs` and that the queue has confirmed, longest due first. */
  untaken(beforeMs: number, limit: number): Promise<TracedTask[]>;
  /** False when the attempt is not the one that runs. */
  extendLease(taskId: string, attempt: number, untilMs: number): Promise<boolean>;
  /**
   * For a queue that forgot everything: makes all queued and running tasks queued and unpublished, in the
   * same attempt. Returns how many.
   */
  forgetPublished(): Promise<number>;
  /** Jobs that lack some of their tasks. */
  jobsToOpen(limit: number): Promise<{ agentId: string; jobId: number }[]>;
  /**
   * Frees tasks that follow one which has ended without them, as a process of an older version ends it. Looks
   * at the followers of `limit` tasks; returns the agents of those that it freed.
   */
  freeFollowers(limit: number): Promise<string[]>;
  /** Agents of jobs that ended before this second. */
  agentsWithOldJobs(before: number, limit: number): Promise<string[]>;
  /** Agents whose `retrainBaseAt` is at most `baseBefore`, earliest first. */
  agentsToRetrain(baseBefore: number, limit: number): Promise<string[]>;
}

/** A storage object that nobody needs any more. */
export interface Discard {
  path: string;
  discardedAt: number;
}

export interface UploadSweeps {
  /**
   * Moves up to `limit` uploads, issued at `issuedBefore` or earlier and never registered, to the discards,
   * oldest first. Returns how many.
   */
  abandon(issuedBefore: number, limit: number): Promise<number>;
  /** Up to `limit` discarded before `before`, oldest first and then by path; behind `after`, if given. */
  discards(before: number, after: Discard | null, limit: number): Promise<Discard[]>;
  addDiscards(paths: string[], now: number): Promise<void>;
  /** Those of the paths of objects (`agents/…`, `results/…`) that no upload, document, open task or discard knows. */
  strays(paths: string[]): Promise<string[]>;
  /** Forgets them, but for those that were discarded once more meanwhile. */
  discarded(discards: Discard[]): Promise<void>;
}

/** Documents, uploads, jobs and tasks of deleted agents, which nobody can reach any more. */
export interface Remains {
  /** Up to `limit` deleted agents that have left something. */
  list(limit: number): Promise<{ agentId: string; workspaceId: string }[]>;
  /** Clears away a small piece in one transaction: its storage is given back, and its objects go to the discards. */
  clear(agent: { agentId: string; workspaceId: string }, now: number): Promise<void>;
}

/** Uploads on their way into a storage that receives them here, counted for the whole installation. */
export interface ArrivingUploads {
  /**
   * Counts `bytes` more for this upload. `full`: the workspace's unregistered uploads would hold more than
   * `mostBytes`. `closed`: nobody waits for this upload, because its agent is deleted, or it is registered or
   * removed. Both change nothing.
   */
  begin(path: string, bytes: number, mostBytes: number): Promise<'welcome' | 'full' | 'closed'>;
  /**
   * Takes `bytes` of `begin` back, and counts what will be stored; null: nothing was. False when nobody
   * waits for it any more.
   */
  end(path: string, bytes: number, stored: number | null): Promise<boolean>;
}

/** Documents that are not indexed by the present rules (the analyser's version) yet. */
export interface IndexSweeps {
  /** Up to `limit` of them. */
  agentsToIndex(limit: number): Promise<string[]>;
  /**
   * Up to `limit` of its documents that are indexed by older rules or not at all, after `after`, in
   * the order of their ids.
   */
  documentsToIndex(agentId: string, after: string, limit: number): Promise<string[]>;
  /** How many agents are to be indexed, and how many documents they have in all. */
  left(): Promise<{ agents: number; documents: number }>;
  /**
   * Looks at the next `limit` agents after `after`. Returns those that count as indexed but have more or
   * fewer documents than can be found, and the last one that was looked at (null at the end).
   */
  agentsWithGaps(after: string, limit: number): Promise<{ agentIds: string[]; last: string | null }>;
  /** Has the agent looked through again; `everything` has all its documents indexed anew. */
  reopen(agentId: string, everything: boolean): Promise<void>;
}
