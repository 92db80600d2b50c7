import type { OpenAgents } from '../../visitors/open-agents.js';
import type { VisitorTokens } from '../../visitors/tokens.js';

/** What visitors need. There is none while the widget is disabled. */
export interface WidgetAccess {
  openAgents: OpenAgents;
  tokens: VisitorTokens;
  tokenTtlSeconds: number;
}
