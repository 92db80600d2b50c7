import type { Context } from 'koa';

/** Maximum time in milliseconds for a client to send the rest of a discarded body. */
const DRAIN_MS = 3000;

/**
 * Reads and discards the rest of a body. Closing a connection with unread bytes could destroy the response before the
 * client has read it. A client that sends for longer loses its connection.
 */
export function discardBody({ req, res }: Context): void {
  // Without a reader when the response ends, Node discards the rest at full speed.
  req.resume();
  res.once('finish', () => {
    if (req.complete) return;
    const cut = setTimeout(() => {
      if (!req.complete) req.socket.destroy();
    }, DRAIN_MS);
    req.once('end', () => clearTimeout(cut));
  });
}
