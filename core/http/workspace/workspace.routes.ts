import { existing } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';
import { ok, type Route, route } from '../route.js';
import { readUsage } from './read-usage.js';
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
    keyScope: 'read',
    summary: 'Show the workspace of the key: its plan, allowances and usage',
    description:
      'Returns the plan, the usage of each allowance, the size of stored conversations, and the credits by day, agent and model. Call it before work that could exceed a limit. `days` sets the period of the credits. A key that is limited to agents sees only the usage of these agents.',
    query: workspaceQuery,
    responses: { 200: workspaceSchema },
    async handle({ caller, query }, services) {
      const { workspaces, entitlementsOf, conversationReads, clock } = services;
      const { days = limits.usageDays.default } = query;
      const now = clock.now();
      const [startDay, endDay] = [dayOf(now - (days - 1) * DAY_MS), dayOf(now)];
      const { workspaceId } = caller;
      const workspace = existing(await workspaces.find(workspaceId), 'RESOURCE_NOT_FOUND');
      const agentIds = caller.key?.agentIds ? [...caller.key.agentIds] : null;
      const [used, conversationBytes, totals, counters] = await Promise.all([
        readUsage(services, workspace, agentIds, endDay),
        conversationReads.storedBytes(workspaceId, agentIds),
        conversationReads.creditTotals(workspaceId, startDay, agentIds),
        conversationReads.credits(workspaceId, startDay, limits.usageCounters + 1, agentIds),
      ]);
      const credits = { startDay, endDay, totals, counters };
      return ok(
        presentWorkspace(workspace, entitlementsOf(workspace), { ...used, conversationBytes }, credits),
      );
    },
  }),
];
