import type { JobType } from './job-types.js';
import type { JobTaskType } from './task-types.js';

/** Why failed tasks of a type are never retried, for users; null for types that can be retried. */
export const neverAgain: Record<JobTaskType, string | null> = {
  crawl_page: null,
  read_sitemap: null,
  parse_file: 'A file that failed is gone from storage: upload it again.',
  embed: 'Failed tasks are tried again by themselves.',
};

const ofJob: Record<JobType, string | null> = {
  index_url: null,
  index_files: neverAgain.parse_file,
  index_sitemap: null,
  retrain: null,
  embed: neverAgain.embed,
};

/** The reason for a job's type; null if its failed tasks can be retried. */
export const neverAgainOf = (job: JobType): string | null => ofJob[job];
