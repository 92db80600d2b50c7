import { Type } from '@sinclair/typebox';
import { siteReportSchema } from '../../knowledge/sites/site-report.js';
import { sitemapReportSchema } from '../../knowledge/urls/sitemap-report.js';
import { limits } from '../../schemas/limits.js';
import { listOf, nullable, oneOf, pageQuery, unixSeconds, uuid } from '../../schemas/shapes.js';
import { failureCodes } from '../../tasks/failures.js';
import { jobStatuses, jobTypes } from '../../tasks/job-types.js';

/** Long polling, because jobs may take minutes. */
export const wait = Type.Optional(
  Type.Integer({
    minimum: limits.wait.seconds.min,
    maximum: limits.wait.seconds.max,
    description:
      'Delays the response until the job or the training has ended, at most for this number of seconds',
  }),
);

const job = {
  id: Type.String(),
  type: oneOf(jobTypes),
  status: oneOf(jobStatuses),
  isRetrain: Type.Boolean(),
  tasksCount: Type.Integer({ minimum: 0 }),
  tasksCompletedCount: Type.Integer({
    minimum: 0,
    description: 'Ended tasks, whatever the outcome',
  }),
  tasksFailedCount: Type.Integer({ minimum: 0 }),
  createdAt: unixSeconds('Creation'),
  startedAt: nullable(unixSeconds('First attempt')),
  finishedAt: nullable(unixSeconds('End')),
};

const taskSchema = Type.Object(
  {
    id: uuid('Task id'),
    target: Type.String({ description: 'URL or file name' }),
    status: oneOf(jobStatuses),
    attempts: Type.Integer({ minimum: 0 }),
    documentId: nullable(Type.String()),
    lastError: nullable(
      Type.Object(
        { code: oneOf(failureCodes), message: Type.String() },
        { description: 'Error of the last attempt' },
      ),
    ),
    progress: Type.Optional(
      Type.Object(
        { done: Type.Integer({ minimum: 0 }), of: Type.Integer({ minimum: 1 }) },
        { description: 'While the scanned pages of a file are recognised: pages done, and all such pages' },
      ),
    ),
  },
  { $id: 'Task' },
);

export const retriedSchema = Type.Object(
  {
    jobId: Type.String({ description: 'The new job' }),
    count: Type.Integer({ minimum: 1, description: 'Tasks to retry' }),
    message: Type.String({ description: 'For people', examples: ['3 tasks are tried again.'] }),
  },
  { $id: 'JobRetried' },
);
export const nothingToRetry = Type.Object(
  {
    jobId: Type.Null(),
    count: Type.Literal(0),
    message: Type.String({
      description: 'The reason, for people',
      examples: ['No task of this job has failed.'],
    }),
  },
  { $id: 'NothingToRetry' },
);

export const listedJobSchema = Type.Object(job, { $id: 'ListedJob' });
export const jobListSchema = listOf(listedJobSchema, 'JobList');
export const jobSchema = Type.Object(
  {
    ...job,
    tasks: Type.Array(taskSchema, {
      description: `The first ${limits.tasksOfJob} tasks; \`listTasks\` lists all of them`,
    }),
    sitemap: Type.Optional(sitemapReportSchema),
    site: Type.Optional(siteReportSchema),
    leftOut: Type.Optional(
      Type.Array(Type.String({ examples: ['ai.model'] }), {
        description: 'Copies only: settings that the plan refuses',
      }),
    ),
  },
  { $id: 'Job' },
);
export const listJobsQuery = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(oneOf(jobStatuses, { description: 'Only jobs in this state' })),
    type: Type.Optional(oneOf(jobTypes, { description: 'Only jobs of this type' })),
  },
  { $id: 'ListJobsQuery' },
);
export const followJobQuery = Type.Object({ wait }, { $id: 'FollowJobQuery' });
export const taskListSchema = listOf(taskSchema, 'TaskList');
export const listTasksQuery = Type.Object(
  { ...pageQuery, status: Type.Optional(oneOf(jobStatuses, { description: 'Only tasks in this state' })) },
  { $id: 'ListTasksQuery' },
);
