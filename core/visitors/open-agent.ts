import type { VisitedAgent } from '../ports/store/conversations/visitors.js';
import type { Workspace } from '../ports/store/workspaces.js';
import type { JsonObject } from '../schemas/json.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import { matchesDomain, type Scheme } from './domains.js';

/** An agent that visitors may talk to. */
export interface OpenAgent {
  id: string;
  name: string;
  workspaceId: string;
  entitlements: Entitlements;
  /** Domain expressions of the pages that may embed the widget; null for all pages. */
  domains: readonly string[] | null;
  /** Null if the agent does not verify identities. */
  identitySecretId: string | null;
  settings: JsonObject;
}

interface SecuritySettings {
  isPrivate?: boolean;
  allowedDomains?: { enabled: boolean; domains: string[] };
}

/** Returns null if visitors may not use the agent. To them, it does not exist. */
export function openAgent(
  { id, name, settings, workspace, identitySecretId }: VisitedAgent,
  entitlementsOf: (workspace: Workspace) => Entitlements,
): OpenAgent | null {
  const { isPrivate = false, allowedDomains } = (settings.security ?? {}) as SecuritySettings;
  const entitlements = entitlementsOf(workspace);
  if (isPrivate || entitlements.limits.visitorMessagesPerDay === 0) return null;
  const domains = allowedDomains?.enabled ? allowedDomains.domains : null;
  return { id, name, workspaceId: workspace.id, entitlements, domains, identitySecretId, settings };
}

/** Returns whether a page of this origin may embed the widget of the agent. */
export const admitsOrigin = ({ domains }: OpenAgent, origin: string, own: Scheme): boolean =>
  domains === null || domains.some((expression) => matchesDomain(expression, origin, own));
