import type { JsonObject } from '../../schemas/json.js';
import type { PageRequest } from './pages.js';

export const actorTypes = ['user', 'key', 'cli', 'system'] as const;

/** The author of a change. `id` of a user is the id of the membership. */
export interface AuditActor {
  type: (typeof actorTypes)[number];
  id: string | null;
  label: string;
}

/** What was changed. Its parts are null if the change has no single target. */
export interface AuditTarget {
  type: string;
  id: string | null;
  label: string | null;
}

/** A value as the audit log shows it. Of prompts and contents, it shows length and hash only. */
export type ShownValue = string | number | boolean | null | { length: number; sha256: string };

export interface AuditRow {
  id: string;
  workspaceId: string;
  /** Unix seconds. */
  at: number;
  actor: AuditActor;
  /** Id of the operation. */
  action: string;
  target: AuditTarget;
  agentId: string | null;
  changes: Record<string, { before: ShownValue; after: ShownValue }>;
  requestId: string | null;
  /** Network of the client: /24 of IPv4, /48 of IPv6. */
  address: string | null;
}

/** The request that makes a change. */
export interface ChangeContext {
  workspaceId: string;
  actor: AuditActor;
  /** Id of the operation. */
  action: string;
  agentId: string | null;
  requestId: string | null;
  /** Network of the client, already shortened. */
  address: string | null;
  /** Unix milliseconds. */
  atMs: number;
  /** Body of the request. Only fields that the operation allows are stored. */
  sent: JsonObject;
}

/** What a change has done. */
export interface ChangeOutcome {
  target: AuditTarget;
  /** State before the change. If it is given and no shown field differs, the change had no effect. */
  before?: object;
  /** State after the change; the body of the request if absent. */
  after?: object;
}

export interface AuditFilter {
  /** Id of the actor. */
  actor: string | null;
  action: string | null;
  agentId: string | null;
  /** Unix seconds, both inclusive. */
  from: number | null;
  to: number | null;
}

/** Reads the audit log. Its rows are written by the changes themselves, in their transactions. */
export interface AuditLog {
  /** Returns rows, newest first, with one more than the limit if there are more. */
  page(workspaceId: string, request: PageRequest, filter: AuditFilter): Promise<AuditRow[]>;
  /** Returns the number of rows, at most `MOST_COUNTED`. */
  count(workspaceId: string, filter: AuditFilter): Promise<number>;
  /** Deletes some of the rows from before this second. Returns whether there may be more. */
  forget(before: number): Promise<boolean>;
}
