import { ApiError } from '../../errors/api-error.js';
import { ok, type Route, route } from '../route.js';
import { presentJob, presentListedJob, presentTask, storedAs } from './jobs.presenter.js';
import { jobListSchema, jobSchema, listJobsQuery, listTasksQuery, taskListSchema } from './jobs.schema.js';

const JOB_ID = /^[1-9][0-9]{0,14}$/;

/** An unknown and a malformed job id get the same answer. */
function jobIdOf(params: Record<string, string>): number {
  const jobId = params.jobId ?? '';
  if (!JOB_ID.test(jobId)) throw new ApiError('RESOURCE_NOT_FOUND');
  return Number(jobId);
}

export const jobRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/agents/:agentId/jobs',
    scope: 'agent',
    summary: 'List the jobs of the agent, newest first',
    query: listJobsQuery,
    list: ({ agent }) => `jobs/${agent.id}`,
    responses: { 200: jobListSchema },
    async handle({ agent, query, list }, { reads, cursors }) {
      const request = cursors.request(list, query);
      return ok(
        cursors.page(list, request, await reads.jobs(agent.id, request), agent.jobs, presentListedJob),
      );
    },
  }),
  route({
    method: 'GET',
    path: '/agents/:agentId/jobs/:jobId',
    scope: 'agent',
    summary: 'Follow a job with its first tasks',
    params: jobIdOf,
    responses: { 200: jobSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, params }, { reads }) {
      const found = await reads.job(agent.id, jobIdOf(params));
      if (!found) throw new ApiError('RESOURCE_NOT_FOUND');
      return ok(presentJob(found.job, found.tasks));
    },
  }),
  route({
    method: 'GET',
    path: '/agents/:agentId/jobs/:jobId/tasks',
    scope: 'agent',
    summary: 'List the tasks of a job, in the order of their ids',
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
