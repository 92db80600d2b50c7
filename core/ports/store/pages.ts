import type { JobRow, TaskRow } from './rows.js';

/** Filtered lists count their rows up to this number. */
export const MOST_COUNTED = 10_000;

/**
 * A page of a list, newest first, strictly older than the row `before` (null: from the newest). Lists for clients
 * return up to `limit` + 1 rows, so that the caller knows whether there are more. Lists of Operations return up to
 * `limit`.
 */
export interface PageRequest {
  limit: number;
  before: string | null;
}

/** A page of a job's tasks: up to `limit` + 1, by id, strictly after `after` (null: from the first). */
export interface TaskPage {
  limit: number;
  after: string | null;
}

/** A job with its first 100 tasks. */
export interface JobWithTasks {
  job: JobRow;
  tasks: TaskRow[];
}
