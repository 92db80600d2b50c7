import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../schemas/limits.js';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface ConnectionLimits {
  /** Longest time in which nothing moves by fault of the client. */
  silenceMs: number;
  maxConnections: number;
}

/**
 * Passes requests to `listener`, those of one connection one after the other: a client that takes no answers causes
 * no work. Closes harmful connections: those that are silent for `silenceMs` by fault of the client (it sends
 * nothing, stops in the middle of its body, or does not take its answer), and those with so many unanswered requests
 * that they would fill the memory. When there are too many connections, the one that has been without a request for
 * longest makes room for a new one. A client that waits for us may wait as long as we need.
 */
export function serveConnections(
  server: Server,
  listener: RequestListener,
  { silenceMs, maxConnections }: ConnectionLimits,
): void {
  /** In order of use: the first has gone longest without a request. */
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
    // The rest of what had come when the connection was closed.
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
  // A client that asks first may only send its body when the listener says so.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, serve);

  server.setTimeout(silenceMs, (socket: Socket) => {
    const exchanges = [...(open.get(socket) ?? [])];
    if (exchanges.length > 0 && socket.writableLength === 0 && exchanges.every(waitsForUs))
      socket.setTimeout(silenceMs);
    else socket.destroy();
  });
}

/** All of it has come, or lies here unread. */
const waitsForUs = ({ request }: Exchange): boolean => request.complete || request.readableLength > 0;
