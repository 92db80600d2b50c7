import { jobSummary } from '../../actors/agent/jobs/job-summary.js';
import { ApiError, existing } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type { JobRow } from '../../ports/store/rows.js';
import { limits } from '../../schemas/limits.js';
import { storedResponse } from '../pipeline/idempotency.js';
import { responseOf } from '../pipeline/respond-once.js';
import { accepted, ok, type Route, route } from '../route.js';
import { jobReports, presentJob, presentTask, storedAs, whyNoRetry } from './jobs.presenter.js';
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

/** Throws the same 404 for a malformed id as for an unknown one. */
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
    ofCopies: true,
    permission: 'view',
    summary: 'List the jobs of the agent, newest first',
    description:
      'Jobs process pages and files, and vectors if an embedding model is configured. The list has their numbers of ended and failed tasks. `status` and `type` filter the list; `total` counts the matching jobs. Jobs are deleted 90 days after their end, unless configured otherwise.',
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
    ofCopies: true,
    permission: 'view',
    summary: 'Read a job with its first tasks',
    description: `Returns the progress and the first ${limits.tasksOfJob} tasks. A failed task has a code and advice. \`listTasks\` lists all tasks; \`retryJob\` retries the failed tasks.`,
    params: jobIdOf,
    query: followJobQuery,
    responses: { 200: jobSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, params, query, beginWait }, { reads, sites, waits, copies }) {
      const jobId = jobIdOf(params);
      const look = async () => existing(await reads.job(agent.id, jobId), 'RESOURCE_NOT_FOUND');
      let { job, tasks } = await look();
      if (query.wait !== undefined && job.finishedAt === null) {
        await waits.jobEnds(job, { seconds: query.wait, signal: beginWait() });
        ({ job, tasks } = await look());
      }
      return ok(presentJob(job, tasks, await jobReports(job, { reads, sites, copies })));
    },
  }),
  route({
    id: 'cancelJob',
    method: 'POST',
    path: '/agents/:agentId/jobs/:jobId/cancel',
    extension: true,
    scope: 'agent',
    ofCopies: true,
    permission: 'edit',
    summary: 'Cancel a job with all its tasks that have not ended',
    description:
      'Pages and files that are already processed stay. Later results are not stored. A job that has already ended is returned unchanged.',
    params: jobIdOf,
    responses: { 200: listedJobSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    idempotent: 'withIt',
    async handle({ agent, params, idempotency }, { agents, copies, clock }) {
      const jobId = jobIdOf(params);
      const now = seconds(clock.now());
      const responseTo = (job: JobRow) => storedResponse(idempotency, ok(jobSummary(job)), now);
      const cancelled = await copies.cancel(agent.id, jobId, now, responseTo);
      if (cancelled) return ok(jobSummary(cancelled));
      return responseOf(agents, { agentId: agent.id, idempotency }, { kind: 'cancelJob', jobId }, ({ job }) =>
        ok(jobSummary(existing(job, 'RESOURCE_NOT_FOUND'))),
      );
    },
  }),
  route({
    id: 'retryJob',
    method: 'POST',
    path: '/agents/:agentId/jobs/:jobId/retry',
    extension: true,
    scope: 'agent',
    ofCopies: true,
    permission: 'edit',
    summary: 'Retry the failed tasks of a job in a new job',
    description:
      'Starts a new job with the failed pages. Failed files cannot be retried, because they are deleted from storage: upload them again. If no task can be retried, the response is 200 with the reason. A job that has not ended is refused (400).',
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
      responseOf(
        agents,
        { agentId: agent.id, idempotency },
        { kind: 'retryJob', jobId: jobIdOf(params), requestId },
        ({ failed, job }) => {
          if (!job) return ok({ jobId: null, count: 0, message: whyNoRetry(failed) });
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
    ofCopies: true,
    permission: 'view',
    summary: 'List the tasks of a job, in the order of their ids',
    description: `Lists all tasks, in pages; \`getJob\` returns only the first ${limits.tasksOfJob}. With \`status=failed\`, the list has the failed tasks with their codes.`,
    params: jobIdOf,
    query: listTasksQuery,
    list: ({ params, query }) => `tasks/${jobIdOf(params)}/${query.status ?? ''}`,
    responses: { 200: taskListSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, params, query, list }, { reads, cursors }) {
      const found = existing(await reads.jobProgress(agent.id, jobIdOf(params)), 'RESOURCE_NOT_FOUND');
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
