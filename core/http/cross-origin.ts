import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requestIdOf } from '../schemas/request-id.js';

/** Paths for pages of other origins: the API with its description, and upload URLs. */
const OPEN = /^\/(?:api\/v2|uploads|openapi\.json)(?:[/?]|$)/;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const SENT_HEADERS = 'authorization, content-type, idempotency-key, last-event-id, x-request-id';
const SHOWN_HEADERS = 'x-request-id, retry-after';
/** How long a browser may cache a preflight, in seconds. */
const PREFLIGHT_S = 600;

const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/**
 * Adds CORS headers for these origins, and answers their preflights, which carry no key.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function crossOrigin(allowedOrigins: readonly string[], serve: RequestListener): RequestListener {
  if (allowedOrigins.length === 0) return serve;
  const allowed = new Set(allowedOrigins.map((origin) => new URL(origin).origin));
  return (request: IncomingMessage, response: ServerResponse) => {
    if (!OPEN.test(request.url ?? '')) return serve(request, response);
    response.setHeader('vary', 'origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return serve(request, response);
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', SHOWN_HEADERS);
    if (!isPreflight(request)) return serve(request, response);
    response.writeHead(204, {
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': SENT_HEADERS,
      'access-control-max-age': String(PREFLIGHT_S),
      'cache-control': 'no-store',
      'x-request-id': requestIdOf(request.headers['x-request-id']),
    });
    response.end();
  };
}
