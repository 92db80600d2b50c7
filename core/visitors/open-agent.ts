import { isShared } from '../agent-settings/share.js';
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
  /** Whether it has a page of its own at our origin. */
  isShared: boolean;
  /** Null if the agent does not verify identities. */
  identitySecretId: string | null;
  settings: JsonObject;
}

interface SecuritySettings {
  isPrivate?: boolean;
  allowedDomains?: { enabled: boolean; domains: string[] };
}

/** Returns the domain expressions of the pages that may embed the widget; null for all pages. */
export function domainsIn(settings: JsonObject): readonly string[] | null {
  const { allowedDomains } = (settings.security ?? {}) as SecuritySettings;
  return allowedDomains?.enabled ? allowedDomains.domains : null;
}

/** Returns null if visitors may not use the agent. To them, it does not exist. */
export function openAgent(
  { id, name, settings, workspace, identitySecretId }: VisitedAgent,
  entitlementsOf: (workspace: Workspace) => Entitlements,
): OpenAgent | null {
  const { isPrivate = false } = (settings.security ?? {}) as SecuritySettings;
  const entitlements = entitlementsOf(workspace);
  if (isPrivate || entitlements.limits.visitorMessagesPerDay === 0) return null;
  const domains = domainsIn(settings);
  return {
    ...{ id, name, workspaceId: workspace.id, entitlements, domains, identitySecretId, settings },
    isShared: isShared(settings),
  };
}

/** The address of the page of the widget. */
export interface OwnAddress {
  scheme: Scheme;
  /** Whether the origin is ours, where the agent's page of its own is. */
  isOwnOrigin(origin: string): boolean;
}

/** Returns whether a page of this origin may show the agent to visitors: by embedding it, or as its own page. */
export const admitsOrigin = ({ domains, isShared }: OpenAgent, origin: string, own: OwnAddress): boolean =>
  domains === null ||
  domains.some((expression) => matchesDomain(expression, origin, own.scheme)) ||
  (isShared && own.isOwnOrigin(origin));
