import type { IncomingMessage, RequestListener } from 'node:http';
import { MAIL_STOP } from '../../mail/stop-links.js';
import type { Log } from '../../ports/log.port.js';

/** Paths that orchestrators, load balancers and Prometheus request every few seconds. */
const PROBES = new Set(['/livez', '/readyz', '/metrics', '/api/v2/health']);

/** A token follows. */
const SECRET_PATHS = ['/uploads/', MAIL_STOP];

const added = new WeakMap<IncomingMessage, object>();

/** Sets fields for the log line of a request. The object is read when the line is written. */
export const describeRequest = (request: IncomingMessage, fields: object): void => {
  added.set(request, fields);
};

/**
 * Logs one line per request when its response has ended or its client has disconnected. Requests of probes, and all
 * requests unless `enabled`, are logged at `debug`. `bytes` counts the bytes sent, headers included.
 */
export function logRequests(serve: RequestListener, log: Log, enabled: boolean): RequestListener {
  return (request, response) => {
    const startedAt = performance.now();
    const { method, socket } = request;
    const path = publicPath(request.url ?? '');
    const sentBefore = socket.bytesWritten;
    response.once('close', () => {
      const line = {
        requestId: response.getHeader('x-request-id'),
        ...added.get(request),
        method,
        path,
        // No response was sent if the client disconnected before.
        ...(response.headersSent ? { status: response.statusCode } : {}),
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        bytes: socket.bytesWritten - sentBefore,
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      log[enabled && !PROBES.has(path) ? 'info' : 'debug'](line, 'request');
    });
    serve(request, response);
  };
}

/** Returns the path without secrets: without the query, and without the token of a URL for uploads or to stop e-mails. */
export const publicPath = (url: string): string => {
  // Clients may also send the whole URL (RFC 9112, section 3.2.2).
  const [path = ''] = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '').split('?');
  const secret = SECRET_PATHS.find((start) => path.startsWith(start));
  return secret === undefined ? path : `${secret}[redacted]`;
};
