import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requestIdOf } from '../../schemas/request-id.js';
import { OPENAI_BASE } from '../openai/errors.js';

/** Paths that pages of other origins may request: the APIs, their description, and upload URLs. */
const OPEN = /^\/(?:api\/v2|openai\/v1|mcp|uploads|openapi\.json)(?:[/?]|$)/;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const SENT_HEADERS =
  'authorization, content-type, idempotency-key, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, x-request-id';
const SHOWN_HEADERS = 'x-request-id, retry-after, x-should-retry, mcp-session-id';
/** How long a browser may cache a preflight, in seconds. */
const PREFLIGHT_S = 600;

const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const MOST_CLIENT_HEADERS = 20;

/** Returns the requested headers of the preflight with which a client of the OpenAI protocol describes itself. */
const clientHeaders = ({ url = '', headers }: IncomingMessage): string[] =>
  url.startsWith(`${OPENAI_BASE}/`)
    ? String(headers['access-control-request-headers'] ?? '')
        .split(/\s*,\s*/)
        .filter((name) => /^x-stainless-[a-z-]{1,40}$/.test(name))
        .slice(0, MOST_CLIENT_HEADERS)
    : [];

/** Decides whether to allow an origin that the configuration does not list. Null if no look-up is needed: refused. */
export type VisitorOrigins = (request: IncomingMessage, origin: string) => Promise<boolean> | null;

interface CrossOriginOptions {
  /** `http.allowedOrigins` */
  allowedOrigins: readonly string[];
  visitorOrigins: VisitorOrigins;
}

/**
 * Adds CORS headers for the allowed origins and for pages with the widget. Responds to their preflights, which carry no
 * key.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function crossOrigin(
  { allowedOrigins, visitorOrigins }: CrossOriginOptions,
  serve: RequestListener,
): RequestListener {
  const allowed = new Set(allowedOrigins.map((origin) => new URL(origin).origin));

  function serveAllowed(origin: string, request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', SHOWN_HEADERS);
    if (!isPreflight(request)) return void serve(request, response);
    response.writeHead(204, {
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': [SENT_HEADERS, ...clientHeaders(request)].join(', '),
      'access-control-max-age': String(PREFLIGHT_S),
      'cache-control': 'no-store',
      'x-request-id': requestIdOf(request.headers['x-request-id']),
    });
    response.end();
  }

  return (request: IncomingMessage, response: ServerResponse) => {
    const { origin } = request.headers;
    const isOpen = OPEN.test(request.url ?? '');
    if (isOpen && allowed.size > 0) response.setHeader('vary', 'origin');
    if (!isOpen || origin === undefined) return void serve(request, response);
    if (allowed.has(origin)) return serveAllowed(origin, request, response);
    const looked = visitorOrigins(request, origin);
    if (looked === null) return void serve(request, response);
    response.setHeader('vary', 'origin');
    void looked.then(
      (isAllowed) => {
        if (isAllowed) serveAllowed(origin, request, response);
        else serve(request, response);
      },
      // If the look-up fails, serve the request without CORS headers. It reports the error itself.
      () => serve(request, response),
    );
  };
}
