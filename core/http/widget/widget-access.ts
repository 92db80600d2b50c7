import type { IncomingMessage } from 'node:http';
import type { ErasedVisitors } from '../../erasure/erased-visitors.js';
import type { Clock } from '../../ports/clock.port.js';
import type { Visitors } from '../../ports/store/conversations/visitors.js';
import type { Workspace } from '../../ports/store/workspaces.js';
import type { Keyring } from '../../secrets/keyring.js';
import { type AllowanceOf, createAllowances } from '../../visitors/allowance.js';
import { createOpenAgents, type OpenAgents } from '../../visitors/open-agents.js';
import { createVisitorTokens, type VisitorTokens } from '../../visitors/tokens.js';
import type { Entitlements } from '../../workspaces/entitlements.js';
import type { OriginSettings } from '../auth/origins.js';
import { createWidgetAddresses, type WidgetAddresses } from './widget-addresses.js';

/** Tokens and limits of visitors. They exist only while the widget is enabled. */
export interface WidgetAccess {
  openAgents: OpenAgents;
  tokens: VisitorTokens;
  tokenTtlSeconds: number;
  addresses: WidgetAddresses;
  allowanceOf: AllowanceOf;
  isErased: ErasedVisitors['isErased'];
}

export interface WidgetSettings {
  enabled: boolean;
  tokenTtlSeconds: number;
  rateLimit: { maxMessages: number; windowSeconds: number };
  addressFactor: number;
  publicUrl: string | null;
}

interface WidgetParts {
  settings: { http: OriginSettings; widget: WidgetSettings; auth: { cacheTtlSeconds: number } };
  visitors: Visitors;
  erased: ErasedVisitors;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  originOf: (request: IncomingMessage) => string;
  keyring: Keyring;
  clock: Clock;
}

/** Returns null while the widget is disabled. */
export function createWidgetAccess({
  settings: { http, widget, auth },
  visitors,
  erased,
  entitlementsOf,
  originOf,
  keyring,
  clock,
}: WidgetParts): WidgetAccess | null {
  if (!widget.enabled) return null;
  return {
    openAgents: createOpenAgents({ visitors, entitlementsOf, cacheTtlSeconds: auth.cacheTtlSeconds }),
    tokens: createVisitorTokens(keyring, clock),
    tokenTtlSeconds: widget.tokenTtlSeconds,
    allowanceOf: createAllowances({ ...widget, keyring, clock }),
    isErased: erased.isErased,
    addresses: createWidgetAddresses({ http, publicUrl: widget.publicUrl, originOf }),
  };
}
