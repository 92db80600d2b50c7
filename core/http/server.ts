import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { invalidBody } from '../errors/api-error.js';
import { limits } from '../schemas/limits.js';
import { serveConnections } from './connections.js';
import { GatheringRequest } from './gathering-request.js';

/** How often connections are looked at that have not sent their headers in time. */
const CHECK_MS = 5000;
/** A big upload over a slow line may take its time; bodies of the API have their own limit. */
const UPLOAD_MS = 3_600_000;
const KEEP_ALIVE_MS = 15_000;

/** Lets a client that we refuse read our answer first; then the connection goes. */
const LINGER_MS = 3000;

interface ServerOptions {
  /** Longest time for the headers of a request. */
  requestTimeoutMs: number;
  /** Most connections at a time. */
  maxConnections: number;
  silenceMs?: number;
}

/** The HTTP server before it listens: limits of time, and answers of our own to what is no HTTP. */
export function createHttpServer(
  listener: RequestListener,
  { requestTimeoutMs, maxConnections, silenceMs = limits.clientSilenceMs }: ServerOptions,
): Server {
  const server = createServer({
    IncomingMessage: GatheringRequest,
    headersTimeout: Math.min(requestTimeoutMs, silenceMs),
    requestTimeout: UPLOAD_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_MS,
    // The app refuses requests without one, in an envelope like any other.
    requireHostHeader: false,
  });
  serveConnections(server, listener, { silenceMs, maxConnections });
  return server.on('clientError', refuseMalformed);
}

const problems: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The header of the request is too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/**
 * The parser can fail before there is a request. Then the client still gets the envelope and the
 * headers of every answer.
 */
function refuseMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || answering(socket)) {
    socket.destroy();
    return;
  }
  const problem = problems[error.code ?? ''] ?? 'This is not a well-formed HTTP request.';
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

/**
 * A response is being sent on this connection, and ours would fall into the middle of it. Node keeps it
 * there, and has no public way to ask.
 */
const answering = (socket: Duplex & { _httpMessage?: { headersSent?: boolean } | null }): boolean =>
  socket._httpMessage?.headersSent === true;
