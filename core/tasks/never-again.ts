import type { JobType } from './job-types.js';
import type { TaskType } from './task-types.js';

/** Why failed tasks of a type are never tried again: sentences for people. Those of other types can be. */
export const neverAgain: Partial<Record<TaskType, string>> = {
  parse_file: 'A file that failed is gone from storage: upload it again.',
  embed: 'Failed tasks are tried again by themselves.',
};

/** The type of all tasks of such a job. */
const taskOfJob: Partial<Record<JobType, TaskType>> = { index_files: 'parse_file', embed: 'embed' };

/** The same of a whole job; null when its failed tasks can be tried again. */
export function neverAgainOf(job: JobType): string | null {
  const task = taskOfJob[job];
  return (task && neverAgain[task]) ?? null;
}
