import type { AllowanceOf } from '../../visitors/allowance.js';
import type { OpenAgents } from '../../visitors/open-agents.js';
import type { VisitorTokens } from '../../visitors/tokens.js';
import type { WidgetAddresses } from './widget-addresses.js';

/** What visitors need. There is none while the widget is disabled. */
export interface WidgetAccess {
  openAgents: OpenAgents;
  tokens: VisitorTokens;
  tokenTtlSeconds: number;
  addresses: WidgetAddresses;
  allowanceOf: AllowanceOf;
}
