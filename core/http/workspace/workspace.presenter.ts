import type { CreditCount, CreditTotals } from '../../ports/store/conversations/credits.js';
import type { Workspace } from '../../ports/store/workspaces.js';
import { limits } from '../../schemas/limits.js';
import { models } from '../../schemas/models.js';
import type { Entitlements } from '../../workspaces/entitlements.js';
import { allowsModel } from '../../workspaces/entitlements.js';

/** `counters` may have one row more than the limit: then the response is marked as truncated. */
export function presentWorkspace(
  { id, name, plan, createdAt, timeZone, requireTwoFactor }: Workspace,
  { entitlements, hasMail }: { entitlements: Entitlements; hasMail: boolean },
  {
    agents,
    members,
    storageBytes,
    visitorMessages,
    visitorStorageBytes,
    conversationBytes,
    versionBytes,
  }: Record<
    | 'agents'
    | 'members'
    | 'storageBytes'
    | 'visitorMessages'
    | 'visitorStorageBytes'
    | 'conversationBytes'
    | 'versionBytes',
    number
  >,
  usage: { startDay: string; endDay: string; totals: CreditTotals; counters: readonly CreditCount[] },
) {
  const { limits: allowed, features } = entitlements;
  return {
    id,
    name,
    createdAt,
    timeZone: timeZone ?? 'UTC',
    requireTwoFactor,
    mail: { configured: hasMail },
    plan,
    features,
    models: models.filter((model) => allowsModel(entitlements.models, model)),
    allowances: {
      agents: { used: agents, limit: allowed.agents },
      members: { used: members, limit: allowed.members },
      storageBytes: { used: storageBytes, limit: allowed.storageBytes },
      visitorMessages: { used: visitorMessages, limit: allowed.visitorMessagesPerDay },
      visitorStorageBytes: { used: visitorStorageBytes, limit: allowed.visitorStorageBytes },
    },
    conversationBytes,
    versionBytes,
    usage: {
      ...usage,
      counters: usage.counters.slice(0, limits.usageCounters),
      ...(usage.counters.length > limits.usageCounters ? { truncated: true } : {}),
    },
  };
}
