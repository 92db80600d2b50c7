import { ApiError } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';
import { ok, type Route, route } from '../route.js';
import { presentWorkspace } from './workspace.presenter.js';
import { workspaceQuery, workspaceSchema } from './workspace.schema.js';

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const workspaceRoutes: Route[] = [
  route({
    id: 'getWorkspace',
    method: 'GET',
    path: '/workspace',
    extension: true,
    scope: 'workspace',
    summary: 'Show the workspace of the key: its plan, allowances and usage',
    description:
      'What the key may do, what is used of each allowance, the size of stored conversations, and the credits spent by day, agent and model. Ask it before work that could meet a limit; `days` says how far back usage goes.',
    query: workspaceQuery,
    responses: { 200: workspaceSchema },
    async handle({ caller, query }, { workspaces, entitlementsOf, conversationReads, clock }) {
      const { days = limits.usageDays.default } = query;
      const now = clock.now();
      const [startDay, endDay] = [dayOf(now - (days - 1) * DAY_MS), dayOf(now)];
      const { workspaceId } = caller;
      const [workspace, conversationBytes, totals, counters] = await Promise.all([
        workspaces.find(workspaceId),
        conversationReads.storedBytes(workspaceId),
        conversationReads.creditTotals(workspaceId, startDay),
        conversationReads.credits(workspaceId, startDay, limits.usageCounters + 1),
      ]);
      if (!workspace) throw new ApiError('RESOURCE_NOT_FOUND');
      return ok(
        presentWorkspace(workspace, entitlementsOf(workspace), conversationBytes, {
          startDay,
          endDay,
          totals,
          counters,
        }),
      );
    },
  }),
];
