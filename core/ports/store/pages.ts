import type { JobRow, TaskRow } from './rows.js';

/** A page of a list: newest first, strictly older than `before`. Asks for one more than it shows to know if more follow. */
export interface PageRequest {
  limit: number;
  before: string | null;
}

/** A page of a job's tasks in the order of their ids, strictly behind `after`; one more than asked for, as with PageRequest. */
export interface TaskPage {
  limit: number;
  after: string | null;
}

/** With the first 100 of its tasks. */
export interface JobWithTasks {
  job: JobRow;
  tasks: TaskRow[];
}
