import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../../schemas/limits.js';
import {
  type Connection,
  type ConnectionPool,
  connectionToClose,
  createPool,
  type Exchange,
  placeLast,
  remove,
} from './connection-pool.js';

interface ConnectionLimits {
  /** Time without progress of the client after which its connection is closed. */
  silenceMs: number;
  maxConnections: number;
  /** Limit of the connections of an address. */
  ofAddress: {
    maxConnections: number;
    /** Returns the network of a peer; null for an unlimited peer. */
    networkOf: (peer: string | undefined) => string | null;
  };
  /** Responds to a request on a connection beyond the limits. */
  refuse: RequestListener;
}

/**
 * Passes requests to `listener`. Requests of a connection are served one by one, so that a client that does not read its
 * responses causes no work. Closes a connection if its client makes no progress for `silenceMs` (it sends nothing, stops in
 * the middle of a body, or does not read its response), or if it pipelines too many requests. At the limit, a new connection
 * replaces another (`connectionToClose`). If all others have requests in progress, the requests of the new connection are
 * refused. The time that a client waits for us does not count.
 */
export function serveConnections(
  server: Server,
  listener: RequestListener,
  { silenceMs, maxConnections, ofAddress, refuse }: ConnectionLimits,
): void {
  const all = createPool(maxConnections);
  const byAddress = new Map<string, ConnectionPool>();
  const open = new Map<Socket, Connection>();

  function poolsOf(network: string | null): ConnectionPool[] {
    if (network === null) return [all];
    const pool = byAddress.get(network) ?? createPool(ofAddress.maxConnections);
    byAddress.set(network, pool);
    // First close connections of the same address.
    return [pool, all];
  }

  function add(socket: Socket): Connection {
    const network = ofAddress.networkOf(socket.remoteAddress);
    const pools = poolsOf(network);
    const times = { since: 0, bytesRead: 0 };
    const connection = { socket, network, pools, exchanges: new Set<Exchange>(), ...times, isExtra: false };
    open.set(socket, connection);
    for (const pool of pools) pool.size += 1;
    placeLast(connection, 'waiting', performance.now());
    return connection;
  }

  function forget(connection: Connection): void {
    const { socket, network, pools } = connection;
    if (!open.delete(socket)) return;
    remove(connection);
    for (const pool of pools) pool.size -= 1;
    if (network !== null && byAddress.get(network)?.size === 0) byAddress.delete(network);
  }

  /** Closes other connections until the limits allow this one. Returns false if all others have requests in progress. */
  function makeRoom(connection: Connection): boolean {
    return connection.pools.every((pool) => {
      if (pool.size <= pool.limit) return true;
      const longest = connectionToClose(pool, connection, performance.now());
      if (longest === null) return false;
      forget(longest);
      longest.socket.destroy();
      return true;
    });
  }

  server.on('connection', (socket: Socket) => {
    const connection = add(socket);
    socket.once('close', () => forget(connection));
    connection.isExtra = !makeRoom(connection);
  });

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    // Koa and Node add eight listeners for an event stream alone; Node warns at more than ten.
    response.setMaxListeners(20);
    const connection = open.get(request.socket);
    // The request was pipelined before the connection was closed.
    if (!connection || request.socket.destroyed) return;
    const { socket, exchanges } = connection;
    const exchange = { request, response };
    exchanges.add(exchange);
    if (exchanges.size === 1) placeLast(connection, 'waiting', performance.now());
    connection.isExtra &&= !makeRoom(connection);
    const serveOrRefuse = connection.isExtra ? refuse : listener;
    response.once('close', () => {
      exchanges.delete(exchange);
      const [next] = exchanges;
      if (socket.destroyed || !open.has(socket)) return;
      placeLast(connection, next ? 'waiting' : 'idle', performance.now());
      if (next) serveOrRefuse(next.request, next.response);
    });
    if (exchanges.size > limits.pipelined) socket.destroy();
    else if (exchanges.size === 1) serveOrRefuse(request, response);
  };
  // With `Expect: 100-continue`, the listener decides whether the body is sent.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, serve);

  server.setTimeout(silenceMs, (socket: Socket) => {
    const exchanges = [...(open.get(socket)?.exchanges ?? [])];
    if (exchanges.length > 0 && socket.writableLength === 0 && exchanges.every(waitsForUs))
      socket.setTimeout(silenceMs);
    else socket.destroy();
  });
}

/** Returns whether the client waits for us: its request is complete, or has unread bytes. */
const waitsForUs = ({ request }: Exchange): boolean => request.complete || request.readableLength > 0;
