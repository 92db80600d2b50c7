import type { TracedTask } from './rows.js';

/** An agent with tasks that are due and were not let in so far. */
export interface AgentInLine {
  agentId: string;
  workspaceId: string;
}

export interface TaskSweeps {
  /** Agents of other workspaces than `except`, longest waiting first. */
  agentsInLine(nowMs: number, except: readonly string[], limit: number): Promise<AgentInLine[]>;
  /** How many tasks of each workspace are queued or running; workspaces without any are missing. */
  underWay(): Promise<Map<string, number>>;
  /** Agents with a running task whose lease has ended. */
  agentsWithStalledTasks(nowMs: number, limit: number): Promise<string[]>;
  /** Queued tasks that the queue has not confirmed for `olderThanMs`. */
  unpublished(beforeMs: number, limit: number): Promise<TracedTask[]>;
  /** Only the very attempt that was confirmed. */
  markPublished(attempts: { taskId: string; attempt: number }[]): Promise<void>;
  /** How many queued tasks the queue has confirmed, and so should hold. */
  published(): Promise<number>;
  /** Queued tasks that were published and not taken since `beforeMs`, oldest first. */
  untaken(beforeMs: number, limit: number): Promise<TracedTask[]>;
  /** True when the attempt is still the current one. */
  extendLease(taskId: string, attempt: number, untilMs: number): Promise<boolean>;
  /** For a queue that forgot everything: all queued and running tasks count as unpublished again. Returns how many. */
  forgetPublished(): Promise<number>;
  /** Jobs that lack some of their tasks. */
  jobsToOpen(limit: number): Promise<{ agentId: string; jobId: number }[]>;
  /** Tasks that follow one that has ended without them, as a process of an older version ends it, follow none from now on. Gives their agents. */
  freeFollowers(limit: number): Promise<string[]>;
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
  /** Those of the paths of objects (`agents/…`, `results/…`) that no upload, document, open task or discard knows. */
  strays(paths: string[]): Promise<string[]>;
  /** Forgets them, but for those that were discarded once more meanwhile. */
  discarded(discards: Discard[]): Promise<void>;
}

/** Documents, uploads, jobs and tasks of deleted agents, which nobody can reach any more. */
export interface Remains {
  /** Deleted agents that have left something. */
  list(limit: number): Promise<{ agentId: string; workspaceId: string }[]>;
  /** Clears away a small piece, in a transaction that gives back the storage which that held; its objects go to the discards. */
  clear(agent: { agentId: string; workspaceId: string }, now: number): Promise<void>;
}

/** Uploads on their way into a storage that receives them here, counted for the whole installation. */
export interface ArrivingUploads {
  /**
   * Counts `bytes` more for this upload. `full`: then the workspace's unregistered uploads would hold more than `mostBytes`; `closed`: nobody
   * waits for this upload, because its agent is deleted, or it is registered or removed. Both change nothing.
   */
  begin(path: string, bytes: number, mostBytes: number): Promise<'welcome' | 'full' | 'closed'>;
  /** Takes `bytes` of `begin` back, and counts what will be stored; null: nothing was. False when nobody waits for it any more. */
  end(path: string, bytes: number, stored: number | null): Promise<boolean>;
}

/** What is not found by the present rules (the analyser's version) yet. */
export interface IndexSweeps {
  agentsToIndex(limit: number): Promise<string[]>;
  /** Its documents that are not, or by older rules; in order of their ids, those behind `after`. */
  documentsToIndex(agentId: string, after: string, limit: number): Promise<string[]>;
  /** Agents to index, and all documents that they have. */
  left(): Promise<{ agents: number; documents: number }>;
  /** Of the next agents behind `after`, those that have more or fewer documents than can be found; `last` is null at the end. */
  agentsWithGaps(after: string, limit: number): Promise<{ agentIds: string[]; last: string | null }>;
  /** Has the agent looked through again; `everything` has all its documents indexed anew. */
  reopen(agentId: string, everything: boolean): Promise<void>;
}
