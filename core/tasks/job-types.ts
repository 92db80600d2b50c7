/** Types of jobs, as the API names them. */
export const jobTypes = ['index_url', 'index_files', 'retrain', 'index_sitemap'] as const;

export type JobType = (typeof jobTypes)[number];

export const jobStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;

export type JobStatus = (typeof jobStatuses)[number];
