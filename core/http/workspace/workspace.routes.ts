import { existing } from '../../errors/api-error.js';
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
      'Plan, usage of each allowance, size of stored conversations, and credits by day, agent and model. Call it before work that could exceed a limit; `days` sets the period of usage.',
    query: workspaceQuery,
    responses: { 200: workspaceSchema },
    async handle({ caller, query }, { workspaces, entitlementsOf, conversationReads, visitors, clock }) {
      const { days = limits.usageDays.default } = query;
      const now = clock.now();
      const [startDay, endDay] = [dayOf(now - (days - 1) * DAY_MS), dayOf(now)];
      const { workspaceId } = caller;
      const [found, conversationBytes, visitorMessages, totals, counters] = await Promise.all([
        workspaces.find(workspaceId),
        conversationReads.storedBytes(workspaceId),
        visitors.messagesOn(workspaceId, endDay),
        conversationReads.creditTotals(workspaceId, startDay),
        conversationReads.credits(workspaceId, startDay, limits.usageCounters + 1),
      ]);
      const workspace = existing(found, 'RESOURCE_NOT_FOUND');
      const usage = { startDay, endDay, totals, counters };
      const stored = { conversationBytes, visitorMessages };
      return ok(presentWorkspace(workspace, entitlementsOf(workspace), stored, usage));
    },
  }),
];
