import { ApiError } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';
import { deleted } from '../../schemas/shapes.js';
import { isUuid } from '../../schemas/uuid.js';
import { responseOf } from '../pipeline/respond-once.js';
import { accepted, ok, type Route, route } from '../route.js';
import { failureListSchema, failureRetried, listFailuresQuery } from './failures.schema.js';

/** Throws the same 404 for a malformed id as for an unknown one. */
function failureIdOf({ failureId = '' }: Record<string, string>): string {
  if (!isUuid(failureId)) throw new ApiError('RESOURCE_NOT_FOUND');
  return failureId.toLowerCase();
}

const all = { path: '/agents/:agentId/failures', extension: true, scope: 'agent' } as const;
const one = { ...all, params: failureIdOf, refusals: ['RESOURCE_NOT_FOUND'] } as const;

export const failureRoutes: Route[] = [
  route({
    ...all,
    id: 'listFailures',
    method: 'GET',
    permission: 'view',
    summary: 'List the pages and files that could not be read, newest first',
    description: `One entry for each address or file name, with its last failure. It goes when the page or file is read, when its source is deleted, or with \`deleteFailure\`. An agent keeps the newest ${limits.failures}.`,
    query: listFailuresQuery,
    list: ({ agent }) => `failures/${agent.id}`,
    responses: { 200: failureListSchema },
    async handle({ agent, query, list }, { failures, cursors }) {
      const request = cursors.request(list, query);
      const [rows, total] = await Promise.all([failures.page(agent.id, request), failures.count(agent.id)]);
      return ok(cursors.page(list, request, rows, total, (row) => ({ ...row, jobId: String(row.jobId) })));
    },
  }),
  route({
    ...one,
    id: 'deleteFailure',
    method: 'DELETE',
    path: '/agents/:agentId/failures/:failureId',
    permission: 'edit',
    summary: 'Delete a failure from the list',
    description: 'Nothing else changes. If the page or file fails again, it is listed again.',
    responses: { 200: deleted },
    async handle({ agent, params }, { agents }) {
      await agents.send(agent.id, { kind: 'deleteFailure', failureId: failureIdOf(params) });
      return ok({ deleted: true });
    },
  }),
  route({
    ...one,
    id: 'retryFailure',
    method: 'POST',
    path: '/agents/:agentId/failures/:failureId/retry',
    permission: 'edit',
    summary: 'Read a page again that could not be read',
    description:
      'Starts a job, as `addUrlSource` does. A file whose upload is no longer stored is refused: upload it again.',
    idempotent: 'withIt',
    responses: { 202: failureRetried },
    refusals: ['RESOURCE_NOT_FOUND', 'QUOTA_STORAGE_LIMIT'],
    handle: ({ agent, params, requestId, idempotency }, { agents }) =>
      responseOf(
        agents,
        { agentId: agent.id, idempotency },
        { kind: 'retryFailure', failureId: failureIdOf(params), requestId },
        ({ job }) => accepted({ jobId: String(job.id) }),
      ),
  }),
];
