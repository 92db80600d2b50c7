import type { JobRow, TaskRow } from './rows.js';

/**
 * A page of a list: newest first, strictly older than `before` (the id of a row; null: from the newest on).
 * Lists that clients page through give up to `limit` + 1 rows, so that the caller knows whether more follow;
 * those of Operations give up to `limit`.
 */
export interface PageRequest {
  limit: number;
  before: string | null;
}

/**
 * A page of a job's tasks: up to `limit` + 1 of them in the order of their ids, strictly behind `after`
 * (null: from the first on).
 */
export interface TaskPage {
  limit: number;
  after: string | null;
}

/** With the first 100 of its tasks. */
export interface JobWithTasks {
  job: JobRow;
  tasks: TaskRow[];
}
