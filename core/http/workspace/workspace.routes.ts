import { existing } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';
import { needsTwoFactor } from '../auth/access.js';
import type { Caller } from '../auth/authenticate.js';
import { ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { readUsage } from './read-usage.js';
import { presentWorkspace } from './workspace.presenter.js';
import { changeWorkspaceBody, workspaceQuery, workspaceSchema } from './workspace.schema.js';

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the workspace with its usage of the last `days`. */
async function readWorkspace(services: Services, { workspaceId, agentIds: limited }: Caller, days: number) {
  const { workspaces, entitlementsOf, conversationReads, versions, clock } = services;
  const now = clock.now();
  const [startDay, endDay] = [dayOf(now - (days - 1) * DAY_MS), dayOf(now)];
  const workspace = existing(await workspaces.find(workspaceId), 'RESOURCE_NOT_FOUND');
  const agentIds = limited ? [...limited] : null;
  const [used, conversationBytes, versionBytes, totals, counters] = await Promise.all([
    readUsage(services, workspace, agentIds, endDay),
    conversationReads.storedBytes(workspaceId, agentIds),
    versions.storedBytes(workspaceId, agentIds),
    conversationReads.creditTotals(workspaceId, startDay, agentIds),
    conversationReads.credits(workspaceId, startDay, limits.usageCounters + 1, agentIds),
  ]);
  const credits = { startDay, endDay, totals, counters };
  return presentWorkspace(
    workspace,
    { entitlements: entitlementsOf(workspace), hasMail: services.mail !== null },
    { ...used, conversationBytes, versionBytes },
    credits,
  );
}

/** Throws 403 without two-factor authentication: the caller would lock themselves out. */
async function assertEnrolled({ member }: Caller, { people }: Services): Promise<void> {
  if (member?.isTrusted) return;
  const user = await people.users.find(member?.userId ?? '');
  if (!user?.totp) throw needsTwoFactor('Turn on two-factor authentication for your own account first.');
}

export const workspaceRoutes: Route[] = [
  route({
    id: 'getWorkspace',
    method: 'GET',
    path: '/workspace',
    extension: true,
    scope: 'workspace',
    permission: 'view',
    summary: 'Show the workspace of the key: its plan, allowances and usage',
    description:
      'Returns the plan, the usage of each allowance, the size of stored conversations, and the credits by day, agent and model. Call it before work that could exceed a limit. `days` sets the period of the credits. A key that is limited to agents sees only the usage of these agents.',
    query: workspaceQuery,
    responses: { 200: workspaceSchema },
    handle: async ({ caller, query: { days = limits.usageDays.default } }, services) =>
      ok(await readWorkspace(services, caller, days)),
  }),
  route({
    id: 'updateWorkspace',
    method: 'PATCH',
    path: '/workspace',
    extension: true,
    scope: 'workspace',
    permission: 'workspace.change',
    summary: 'Change the name, the time zone or the sign-in rule of the workspace',
    description:
      'Returns the workspace with its usage of today, as `getWorkspace` does. `requireTwoFactor` needs a member with two-factor authentication (else 403).',
    body: changeWorkspaceBody,
    responses: { 200: workspaceSchema },
    async handle({ caller, body }, services) {
      if (body.requireTwoFactor !== undefined) await assertEnrolled(caller, services);
      await services.workspaces.update(caller.workspaceId, () => body);
      return ok(await readWorkspace(services, caller, 1));
    },
  }),
];
