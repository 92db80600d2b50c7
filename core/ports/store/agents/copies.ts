import type { JsonObject } from '../../../schemas/json.js';
import type { WebhookEvent } from '../../../schemas/webhook-events.js';
import type { AuditActor } from '../audit.js';
import type { AgentState, DocumentRow, JobRow, NewJob } from '../rows.js';
import type { StoredResponse } from '../stored-responses.js';
import type { Workspace } from '../workspaces.js';
import type { PictureRow } from './pictures.js';

/** A copy of an agent to make. Until it is complete, the new agent has rows, but does not exist. */
export interface NewCopy {
  /** Id of the new agent. */
  agentId: string;
  sourceId: string;
  name: string;
  url: string | null;
  /** Settings of the new agent, with the pictures of the source. */
  settings: JsonObject;
  /** Fields of settings that the plan refuses. */
  leftOut: readonly string[];
  /** The person or key that asked for the copy. */
  actor: AuditActor;
  /** The newest document to copy; null to copy none. */
  lastDocumentId: string | null;
  /** Bytes of storage reserved for what has not been copied yet. */
  bytesLeft: number;
  /** Unix seconds. */
  createdAt: number;
}

export interface CopyRow extends NewCopy {
  workspaceId: string;
  jobId: number;
  /** The document up to which all are copied; null before the first. */
  copiedUpTo: string | null;
  /** Documents copied. */
  copied: number;
  /** Claims since the last progress. */
  tries: number;
}

/** The right to work on a copy. */
export interface CopyClaim extends CopyRow {
  token: string;
}

/** What a copied document has of its own. */
export interface CopiedDocument {
  id: string;
  newId: string;
  storagePath: string | null;
}

/** `lost`: cancelled, or another process works on the copy. `gone`: the source was deleted. `full`: no storage is left. */
export type CopyStep = 'done' | 'lost' | 'gone' | 'full';

/** Steps of copies. Each is one transaction. */
export interface Copies {
  /** Returns a copy in progress. */
  find(workspaceId: string, agentId: string): Promise<CopyRow | null>;
  /** Returns the fields that a completed copy left out, by its job. */
  leftOut(agentId: string, jobId: number): Promise<readonly string[] | null>;
  /** Claims a copy that no other process works on. */
  claim(lease: { token: string; nowMs: number; untilMs: number }): Promise<CopyClaim | null>;
  /** Gives the copy back, to be continued from this time. */
  release(claim: CopyClaim, atMs: number): Promise<void>;
  /** Returns the next documents of the source, by id. */
  nextDocuments(claim: CopyClaim): Promise<Pick<DocumentRow, 'id' | 'storagePath'>[]>;
  /** Adds a picture that the copy does not have. */
  addPicture(claim: CopyClaim, picture: PictureRow, lease: CopyLease): Promise<CopyStep>;
  /** Adds copies of documents, as they are now. Documents that were deleted are left out. */
  addDocuments(claim: CopyClaim, documents: readonly CopiedDocument[], lease: CopyLease): Promise<CopyStep>;
  /** Creates the agent with these settings and everything that was copied, and ends the job. */
  finish(claim: CopyClaim, end: CopyEnd): Promise<CopyStep>;
  /** Deletes everything of a copy and releases its allowances. */
  abandon(claim: CopyClaim): Promise<void>;
  /**
   * Abandons a copy on request. Returns its job; null if there is no such copy. Stores a response for the workspace. Rejects
   * with KeyTaken if its key was used before.
   */
  cancel(
    agentId: string,
    jobId: number,
    now: number,
    responseOf?: (job: JobRow) => StoredResponse | undefined,
  ): Promise<JobRow | null>;
  /** Abandons all copies of a workspace in progress. */
  abandonAll(workspaceId: string): Promise<void>;
}

export interface CopyLease {
  untilMs: number;
  /** The storage limit of a workspace. */
  limitOf: (workspace: Workspace) => number;
}

export interface CopyEnd {
  settings: JsonObject;
  /** The agent, without the counters of what was copied. */
  agent: AgentState;
  now: number;
  eventOf: (job: JobRow) => WebhookEvent;
}

/** What the turn of the source does for a copy. */
export interface TurnCopies {
  /** Returns the number and size of the documents and pictures of the agent, and its newest document. */
  size(): Promise<{ documents: number; bytes: number; pictureBytes: number; lastDocumentId: string | null }>;
  /** Stores the copy and its job, and counts the new agent. Charges no storage. Lock the workspace first. */
  begin(copy: NewCopy, job: NewJob): Promise<JobRow>;
}
