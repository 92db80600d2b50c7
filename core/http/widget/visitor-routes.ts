import type { Route } from '../route.js';

/** Returns the id in the path of an agent's route if visitors may use that route; null for any other request. */
export type VisitorAgentId = (method: string, path: string) => string | null;

interface Pattern {
  method: string;
  segments: string[];
  isForVisitors: boolean;
}

const AGENT = ':agentId';

/** Derives from the routes what visitors may use. As in the router, the first matching route decides. */
export function visitorRoutes(routes: readonly Route[], base: string): VisitorAgentId {
  const patterns = routes.map(
    ({ method, path, visitors = false }): Pattern => ({
      method,
      segments: (base + path).split('/'),
      isForVisitors: visitors,
    }),
  );
  return (asked, path) => {
    const method = asked === 'HEAD' ? 'GET' : asked;
    const sent = path.split('/', MOST_SEGMENTS);
    const found = patterns.find((pattern) => pattern.method === method && fits(pattern.segments, sent));
    return found?.isForVisitors ? (sent[found.segments.indexOf(AGENT)] ?? null) : null;
  };
}

/** Maximum number of path segments to compare; no route has more. */
const MOST_SEGMENTS = 20;

const fits = (segments: readonly string[], sent: readonly string[]): boolean =>
  segments.length === sent.length &&
  segments.every((segment, n) => (segment.startsWith(':') ? sent[n] !== '' : segment === sent[n]));
