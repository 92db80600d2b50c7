/** Types of jobs in the API. Cadre itself opens `embed` jobs if an embedding model is configured. */
export const jobTypes = ['index_url', 'index_files', 'retrain', 'index_sitemap', 'embed'] as const;

export type JobType = (typeof jobTypes)[number];

export const jobStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;

export type JobStatus = (typeof jobStatuses)[number];
