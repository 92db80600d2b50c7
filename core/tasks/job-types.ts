/** Types of jobs, as the API names them. `embed` are made by Cadre itself, where there is an embedding model. */
export const jobTypes = ['index_url', 'index_files', 'retrain', 'index_sitemap', 'embed'] as const;

export type JobType = (typeof jobTypes)[number];

export const jobStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;

export type JobStatus = (typeof jobStatuses)[number];
