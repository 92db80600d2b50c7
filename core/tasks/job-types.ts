/**
 * Types of jobs in the API, with their labels in the console. Cadre itself creates `embed` jobs if an embedding model
 * is configured.
 */
export const jobLabels = {
  index_url: 'Read a page',
  index_files: 'Read files',
  retrain: 'Renew pages',
  index_sitemap: 'Read a sitemap',
  index_site: 'Read a whole site',
  embed: 'Make vectors',
  copy_agent: 'Copy an agent',
} as const;

export type JobType = keyof typeof jobLabels;

export const jobTypes = Object.keys(jobLabels) as readonly JobType[];

export const jobStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;

export type JobStatus = (typeof jobStatuses)[number];
