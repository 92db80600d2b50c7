import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../schemas/limits.js';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface ConnectionLimits {
  /** Closes a connection after this time without progress that is the client's fault. */
  silenceMs: number;
  maxConnections: number;
}

/**
 * Passes requests to `listener`, those of a connection one by one, so that a client that reads no responses causes no
 * work. Closes a connection if its client makes no progress for `silenceMs` (it sends nothing, stops in the middle of a
 * body, or does not read its response), or pipelines too many requests. At the limit of connections, a new one replaces
 * the longest idle one. A client that waits for us may wait.
 */
export function serveConnections(
  server: Server,
  listener: RequestListener,
  { silenceMs, maxConnections }: ConnectionLimits,
): void {
  /** In order of use: the first has been idle longest. */
  const open = new Map<Socket, Set<Exchange>>();
  const used = (socket: Socket): void => {
    const exchanges = open.get(socket);
    if (exchanges === undefined) return;
    open.delete(socket);
    open.set(socket, exchanges);
  };

  server.on('connection', (socket: Socket) => {
    open.set(socket, new Set());
    socket.once('close', () => open.delete(socket));
    if (open.size <= maxConnections) return;
    for (const [idle, exchanges] of open) {
      if (exchanges.size > 0) continue;
      idle.destroy();
      return;
    }
  });

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    // Koa and Node add eight listeners for an event stream alone; Node warns at more than ten.
    response.setMaxListeners(20);
    // Pipelined before the connection was closed.
    if (socket.destroyed) return;
    const exchange = { request, response };
    const exchanges = open.get(socket) ?? new Set();
    exchanges.add(exchange);
    used(socket);
    response.once('close', () => {
      exchanges.delete(exchange);
      used(socket);
      const [next] = exchanges;
      if (next && !socket.destroyed) listener(next.request, next.response);
    });
    if (exchanges.size > limits.pipelined) socket.destroy();
    else if (exchanges.size === 1) listener(request, response);
  };
  // With `Expect: 100-continue`, the listener decides whether the body is sent.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, serve);

  server.setTimeout(silenceMs, (socket: Socket) => {
    const exchanges = [...(open.get(socket) ?? [])];
    if (exchanges.length > 0 && socket.writableLength === 0 && exchanges.every(waitsForUs))
      socket.setTimeout(silenceMs);
    else socket.destroy();
  });
}

/** The request is complete, or we have not read what has arrived. */
const waitsForUs = ({ request }: Exchange): boolean => request.complete || request.readableLength > 0;
