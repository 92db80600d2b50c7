import { ApiError } from '../../errors/api-error.js';
import { ok, type Route, route } from '../route.js';
import { presentJob, presentListedJob } from './jobs.presenter.js';
import { jobListSchema, jobSchema, listJobsQuery } from './jobs.schema.js';

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
    summary: 'Follow a job with its tasks',
    params: jobIdOf,
    responses: { 200: jobSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, params }, { reads }) {
      const found = await reads.job(agent.id, jobIdOf(params));
      if (!found) throw new ApiError('RESOURCE_NOT_FOUND');
      return ok(presentJob(found.job, found.tasks));
    },
  }),
];
