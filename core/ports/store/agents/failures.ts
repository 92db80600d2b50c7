import type { FailureCode } from '../../../tasks/failures.js';
import type { PageRequest } from '../pages.js';

/** What could not be read: a page by its URL, or a file by its name. */
export type FailedTarget = { type: 'url'; url: string } | { type: 'file'; name: string };

/** The last failure of a page or a file that has not been read since. */
export interface FailureRow {
  id: string;
  type: FailedTarget['type'];
  /** Title of the source, or else the URL; name of the file. */
  name: string;
  url: string | null;
  code: FailureCode;
  reason: string;
  jobId: number;
  /** Unix seconds. */
  at: number;
}

export interface Failures {
  /** Newest first, with one more than the limit if there are more. */
  page(agentId: string, request: PageRequest): Promise<FailureRow[]>;
  count(agentId: string): Promise<number>;
}

/** Failures within a turn of the agent. */
export interface TurnFailures {
  find(id: string): Promise<FailureRow | null>;
  /** Replaces the failure of the same target. Above the limit, the oldest of the agent go. */
  record(failure: FailureRow): void;
  /** Deletes the failure of a target, if there is one. */
  clear(target: FailedTarget): void;
  remove(id: string): Promise<void>;
}
