import { jobSummary } from '../../actors/agent/job-summary.js';
import { ApiError } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';
import { answerOf } from '../answer-once.js';
import { accepted, ok, type Route, route } from '../route.js';
import { presentJob, presentTask, storedAs, whyNothing } from './jobs.presenter.js';
import {
  followJobQuery,
  jobListSchema,
  jobSchema,
  listedJobSchema,
  listJobsQuery,
  listTasksQuery,
  nothingToRetry,
  retriedSchema,
  taskListSchema,
} from './jobs.schema.js';

const JOB_ID = /^[1-9][0-9]{0,14}$/;

/** An unknown and a malformed job id get the same answer. */
function jobIdOf(params: Record<string, string>): number {
  const jobId = params.jobId ?? '';
  if (!JOB_ID.test(jobId)) throw new ApiError('RESOURCE_NOT_FOUND');
  return Number(jobId);
}

export const jobRoutes: Route[] = [
  route({
    id: 'listJobs',
    method: 'GET',
    path: '/agents/:agentId/jobs',
    extension: true,
    scope: 'agent',
    summary: 'List the jobs of the agent, newest first',
    description:
      'Work on pages and files, and on vectors where there is an embedding model, with counts of tasks that have ended and failed. `status` and `type` narrow it; `total` counts those that match. Jobs that ended long ago are removed (after 90 days, unless configured otherwise).',
    query: listJobsQuery,
    list: ({ agent, query }) => `jobs/${agent.id}/${query.status ?? ''}/${query.type ?? ''}`,
    responses: { 200: jobListSchema },
    async handle({ agent, query, list }, { reads, cursors }) {
      const request = cursors.request(list, query);
      const { status, type } = query;
      const filter = { status, type };
      const [rows, total] = await Promise.all([
        reads.jobs(agent.id, request, filter),
        status || type ? reads.countJobs(agent.id, filter) : agent.jobs,
      ]);
      return ok(cursors.page(list, request, rows, total, jobSummary));
    },
  }),
  route({
    id: 'getJob',
    method: 'GET',
    path: '/agents/:agentId/jobs/:jobId',
    extension: true,
    scope: 'agent',
    summary: 'Follow a job with its first tasks',
    description: `Progress, and the first ${limits.tasksOfJob} tasks with the failure of each, a code and advice; \`listTasks\` has all. With \`wait\` it answers when the job has ended, or after so many seconds. Failed tasks can be tried again with \`retryJob\`.`,
    params: jobIdOf,
    query: followJobQuery,
    responses: { 200: jobSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, params, query, beginWait }, { reads, waits }) {
      const jobId = jobIdOf(params);
      const look = async () => {
        const found = await reads.job(agent.id, jobId);
        if (!found) throw new ApiError('RESOURCE_NOT_FOUND');
        return found;
      };
      let { job, tasks } = await look();
      if (query.wait !== undefined && job.finishedAt === null) {
        await waits.jobEnds(job, { seconds: query.wait, signal: beginWait() });
        ({ job, tasks } = await look());
      }
      const sitemap = job.type === 'index_sitemap' ? await reads.sitemap(job.id) : null;
      return ok(presentJob(job, tasks, sitemap));
    },
  }),
  route({
    id: 'cancelJob',
    method: 'POST',
    path: '/agents/:agentId/jobs/:jobId/cancel',
    extension: true,
    scope: 'agent',
    summary: 'Cancel a job with all its tasks that have not ended',
    description:
      'Pages and files that are done stay; results that come later are not stored. A job that has ended already is answered as it is.',
    params: jobIdOf,
    responses: { 200: listedJobSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    idempotent: 'withIt',
    handle: ({ agent, params, idempotency }, { agents }) =>
      answerOf(
        agents,
        { agentId: agent.id, idempotency },
        { kind: 'cancelJob', jobId: jobIdOf(params) },
        ({ job }) => {
          if (!job) throw new ApiError('RESOURCE_NOT_FOUND');
          return ok(jobSummary(job));
        },
      ),
  }),
  route({
    id: 'retryJob',
    method: 'POST',
    path: '/agents/:agentId/jobs/:jobId/retry',
    extension: true,
    scope: 'agent',
    summary: 'Try the failed tasks of a job again, as a new job',
    description:
      'Starts a new job with the pages that failed. Files that failed are gone from storage: upload them again. With nothing to try, the answer is 200 and says why. A job that has not ended is refused (400).',
    params: jobIdOf,
    responses: { 200: nothingToRetry, 202: retriedSchema },
    refusals: [
      'RESOURCE_NOT_FOUND',
      'VALIDATION_INVALID_BODY',
      'SUBSCRIPTION_API_RESTRICTED_PLAN',
      'QUOTA_STORAGE_LIMIT',
    ],
    idempotent: 'withIt',
    handle: ({ agent, params, requestId, idempotency }, { agents }) =>
      answerOf(
        agents,
        { agentId: agent.id, idempotency },
        { kind: 'retryJob', jobId: jobIdOf(params), requestId },
        ({ failed, job }) => {
          if (!job) return ok({ jobId: null, count: 0, message: whyNothing(failed) });
          const { id, tasksCount } = job;
          const tasks = tasksCount === 1 ? '1 task is' : `${tasksCount} tasks are`;
          return accepted({ jobId: String(id), count: tasksCount, message: `${tasks} tried again.` });
        },
      ),
  }),
  route({
    id: 'listTasks',
    method: 'GET',
    path: '/agents/:agentId/jobs/:jobId/tasks',
    extension: true,
    scope: 'agent',
    summary: 'List the tasks of a job, in the order of their ids',
    description: `All of them, page by page; \`getJob\` has only the first ${limits.tasksOfJob}. \`status=failed\` shows what went wrong, and with which code.`,
    params: jobIdOf,
    query: listTasksQuery,
    list: ({ params, query }) => `tasks/${jobIdOf(params)}/${query.status ?? ''}`,
    responses: { 200: taskListSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, params, query, list }, { reads, cursors }) {
      const found = await reads.jobProgress(agent.id, jobIdOf(params));
      if (!found) throw new ApiError('RESOURCE_NOT_FOUND');
      const statuses = query.status ? storedAs(query.status) : null;
      const request = cursors.request(list, query);
      const page = { limit: request.limit, after: request.before };
      const rows = await reads.tasks(found.job.id, statuses, page);
      const counted = statuses?.map((status) => found.tasks[status]) ?? Object.values(found.tasks);
      const total = counted.reduce((sum, count) => sum + count, 0);
      return ok(cursors.page(list, request, rows, total, presentTask));
    },
  }),
];
