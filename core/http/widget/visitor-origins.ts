import type { IncomingMessage } from 'node:http';
import { admitsOrigin } from '../../visitors/open-agent.js';
import type { VisitorOrigins } from '../cross-origin.js';
import type { VisitorCallers } from './visitor-callers.js';
import type { WidgetAccess } from './widget-access.js';

/** Paths that visitors may use begin with their agent. */
const OF_AGENT = /^\/api\/v2\/agents\/(?<agentId>[^/?]+)\/(?:chat|conversations)(?:[/?]|$)/;

/**
 * Allows the pages that may embed an agent's widget to use the tokens of its visitors. A preflight shows no token, so it
 * is answered alike for API keys, which then get no CORS headers.
 */
export function createVisitorOrigins(
  widget: WidgetAccess | null,
  callers: Pick<VisitorCallers, 'isToken'>,
): VisitorOrigins {
  if (!widget) return () => null;
  const { openAgents, addresses } = widget;
  return (request: IncomingMessage, origin: string) => {
    const { agentId } = OF_AGENT.exec(request.url ?? '')?.groups ?? {};
    const mayBeVisitor = request.method === 'OPTIONS' || callers.isToken(request.headers.authorization);
    if (agentId === undefined || !mayBeVisitor) return null;
    return openAgents
      .find(agentId)
      .then((agent) => agent !== null && admitsOrigin(agent, origin, addresses.schemeOf(request)));
  };
}
