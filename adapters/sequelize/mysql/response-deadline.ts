import type { Socket } from 'node:net';

/** The parts of a driver's connection that are used here; its types do not declare them. */
interface Watched {
  stream: Socket;
  /** The command that is waiting for its result. */
  _command: unknown;
}

/** Time for the server's own limit to take effect first, so that the connection can be kept. */
const GRACE_MS = 1000;

/**
 * Closes connections whose server does not respond: the driver would wait for as long as TCP does, which may be a
 * quarter of an hour. Call the returned function with every new connection, once it is connected. Statements on a
 * closed connection fail with ETIMEDOUT.
 */
export function responseDeadline(statementTimeoutMs: number): (connection: unknown) => void {
  const deadlineMs = statementTimeoutMs + GRACE_MS;
  const open = new Set<{ watched: Watched; stream: Socket; heardAt: number }>();

  /** Closes idle connections, too: if the server has died, statements sent there would time out one after the other. */
  function closeSilent(late: Watched): void {
    const error = Object.assign(new Error(`the database did not respond within ${deadlineMs} ms`), {
      code: 'ETIMEDOUT',
    });
    const before = performance.now() - deadlineMs;
    for (const { watched, stream, heardAt } of open)
      if (watched === late || (!watched._command && heardAt <= before)) stream.destroy(error);
  }

  return (connection) => {
    const watched = connection as Watched;
    const { stream } = watched;
    const entry = { watched, stream, heardAt: performance.now() };
    open.add(entry);
    stream.once('close', () => open.delete(entry));
    stream.on('data', () => {
      entry.heardAt = performance.now();
    });
    // Node emits this after a time without traffic in either direction, also while the connection is idle.
    stream.setTimeout(deadlineMs);
    stream.on('timeout', () => {
      if (watched._command) closeSilent(watched);
    });
  };
}

/** Lets statements on this connection take any time. Call the returned function to restore the deadline. */
export function liftResponseDeadline(connection: unknown): () => void {
  const { stream } = connection as Watched;
  const { timeout = 0 } = stream;
  stream.setTimeout(0);
  return () => void stream.setTimeout(timeout);
}
