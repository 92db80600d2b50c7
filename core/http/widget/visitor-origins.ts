import type { IncomingMessage } from 'node:http';
import { admitsOrigin } from '../../visitors/open-agent.js';
import type { VisitorOrigins } from '../auth/cross-origin.js';
import type { VisitorCallers } from './visitor-callers.js';
import type { VisitorAgentId } from './visitor-routes.js';
import type { WidgetAccess } from './widget-access.js';

/**
 * Allows pages that may embed an agent's widget to use visitor tokens, on the routes for visitors. A preflight has no token,
 * so it is allowed for API keys, too; the response to their request then has no CORS headers.
 */
export function createVisitorOrigins(
  widget: WidgetAccess | null,
  callers: Pick<VisitorCallers, 'isToken'>,
  visitorAgentId: VisitorAgentId,
): VisitorOrigins {
  if (!widget) return () => null;
  const { openAgents, addresses } = widget;
  return (request: IncomingMessage, origin: string) => {
    const { headers, url = '' } = request;
    const isPreflight = request.method === 'OPTIONS';
    if (!isPreflight && !callers.isToken(headers.authorization)) return null;
    const method = isPreflight ? headers['access-control-request-method'] : request.method;
    const agentId = visitorAgentId(method ?? '', url.split('?', 1)[0] ?? '');
    if (agentId === null) return null;
    return openAgents
      .find(agentId)
      .then((agent) => agent !== null && admitsOrigin(agent, origin, addresses.ownAddress(request)));
  };
}
