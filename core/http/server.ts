import { randomUUID } from 'node:crypto';
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { invalidBody, overloaded } from '../errors/api-error.js';
import { limits } from '../schemas/limits.js';
import { peerNetworks } from '../visitors/client-address.js';
import { isOperationsPath } from './health/operations.js';
import { serveConnections } from './limits/connections.js';
import { GatheringRequest } from './pipeline/gathering-request.js';

/** Interval of the check for connections whose headers are late. */
const CHECK_MS = 5000;
/** Maximum time of a request, for large uploads over slow networks. Bodies of the API have their own limit. */
const UPLOAD_MS = 3_600_000;
const KEEP_ALIVE_MS = 15_000;

/** Time for a refused client to read the response before its connection is closed. */
const LINGER_MS = 3000;

interface ServerOptions {
  requestTimeoutMs: number;
  maxConnections: number;
  /** Null for half of `maxConnections`. */
  maxConnectionsPerAddress?: number | null;
  /** Addresses and networks whose connections are not limited by address. Null for no limit by address. */
  trustedProxies?: readonly string[] | null;
  silenceMs?: number;
}

/** Creates the HTTP server with its timeouts and its responses to malformed HTTP. */
export function createHttpServer(
  listener: RequestListener,
  {
    requestTimeoutMs,
    maxConnections,
    maxConnectionsPerAddress,
    trustedProxies = null,
    silenceMs = limits.clientSilenceMs,
  }: ServerOptions,
): Server {
  const server = createServer({
    IncomingMessage: GatheringRequest,
    headersTimeout: Math.min(requestTimeoutMs, silenceMs),
    requestTimeout: UPLOAD_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_MS,
    // The app refuses requests without the header, with a JSON body.
    requireHostHeader: false,
  });
  serveConnections(server, listener, {
    silenceMs,
    maxConnections,
    ofAddress: {
      maxConnections: maxConnectionsPerAddress ?? Math.ceil(maxConnections / 2),
      networkOf: trustedProxies === null ? () => null : peerNetworks(trustedProxies),
    },
    refuse: (request, response) => {
      // Serve probes: a full process must not look like a dead one.
      response.setHeader('connection', 'close');
      if (isOperationsPath(request.url ?? '')) listener(request, response);
      else refuseConnection(response);
    },
  });
  return server.on('clientError', refuseMalformed);
}

/** Responds 503, because every other connection has a request in progress. */
function refuseConnection(response: ServerResponse): void {
  const { code, status, message, headers } = overloaded(null);
  const body = JSON.stringify({ error: { code, message } });
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    ...headers,
  });
  response.end(body);
}

const problems: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The header of the request is too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/**
 * Sends the usual error body and headers if the parser fails before there is a request.
 */
function refuseMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isResponding(socket)) {
    socket.destroy();
    return;
  }
  const problem = problems[error.code ?? ''] ?? 'The HTTP request is malformed.';
  const { code, status, message } = invalidBody(problem);
  const body = JSON.stringify({ error: { code, message } });
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      `x-request-id: ${randomUUID()}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** Returns whether a response is in progress on this connection. Node has no public API for this. */
const isResponding = (socket: Duplex & { _httpMessage?: { headersSent?: boolean } | null }): boolean =>
  socket._httpMessage?.headersSent === true;
