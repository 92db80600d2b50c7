import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export interface Connection {
  socket: Socket;
  /** Network of the client, if its connections are limited. */
  network: string | null;
  /** Requests without a complete response, in order. */
  exchanges: Set<Exchange>;
  /** Start of the wait for the client, or last time that a part of a body arrived, in milliseconds. */
  since: number;
  /** `bytesRead` of the socket at that time. */
  bytesRead: number;
  pools: readonly ConnectionPool[];
  /** Accepted beyond a limit, because every other connection had a request in progress. */
  isExtra: boolean;
}

/**
 * Connections with a common limit. `waiting`: we wait for a request or a body. `idle`: between two requests. Both are
 * ordered by `since`. All other connections have requests in progress.
 */
export interface ConnectionPool {
  limit: number;
  size: number;
  waiting: Set<Connection>;
  idle: Set<Connection>;
}

/** A wait for a client is brief until then, because the request may be on its way. */
const GRACE_MS = 1000;
/** Number of waiting connections beyond which even a brief wait is ended. */
const mostBrief = (limit: number): number => Math.ceil(limit / 10);

export const createPool = (limit: number): ConnectionPool => ({
  limit,
  size: 0,
  waiting: new Set(),
  idle: new Set(),
});

export function remove(connection: Connection): void {
  for (const { waiting, idle } of connection.pools) {
    waiting.delete(connection);
    idle.delete(connection);
  }
}

export function placeLast(connection: Connection, place: 'waiting' | 'idle', now: number): void {
  remove(connection);
  connection.since = now;
  connection.bytesRead = connection.socket.bytesRead;
  for (const pool of connection.pools) pool[place].add(connection);
}

/**
 * Finds the connection to close for `newcomer`: the longest wait for a request or a body; else the longest idle time; else,
 * if there are many brief waits, the longest of them. Returns null if all other connections have requests in progress.
 */
export function connectionToClose(
  { limit, waiting, idle }: ConnectionPool,
  newcomer: Connection,
  now: number,
): Connection | null {
  const others = (connections: Set<Connection>) => {
    const [first, second] = connections;
    return (first === newcomer ? second : first) ?? null;
  };
  for (let next = others(waiting); next !== null; next = others(waiting)) {
    if (isInProgress(next)) remove(next);
    else if (isSending(next)) placeLast(next, 'waiting', now);
    else if (now - next.since > GRACE_MS) return next;
    else return others(idle) ?? (waiting.size > mostBrief(limit) ? next : null);
  }
  return others(idle);
}

/** Returns whether all requests of the connection have arrived completely. */
const isInProgress = ({ exchanges }: Connection): boolean =>
  exchanges.size > 0 && [...exchanges].every(({ request }) => request.complete);

/** Returns whether a part of a body has arrived since the last check. Slow headers do not count. */
const isSending = ({ exchanges, socket, bytesRead }: Connection): boolean =>
  exchanges.size > 0 && socket.bytesRead !== bytesRead;
