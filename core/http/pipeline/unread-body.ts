import type { Context } from 'koa';

/** Maximum time in milliseconds for a client to send the rest of a discarded body. */
const DRAIN_MS = 3000;

/**
 * Reads and discards the rest of a body. Closing a connection with unread bytes could destroy the response before the
 * client has read it. If the client sends for longer than `DRAIN_MS`, its connection is closed.
 */
export function discardBody({ req, res }: Context): void {
  // Start now. Otherwise, Node discards the rest when the response ends, without a time limit.
  req.resume();
  res.once('finish', () => {
    if (req.complete) return;
    const cut = setTimeout(() => {
      if (!req.complete) req.socket.destroy();
    }, DRAIN_MS);
    req.once('end', () => clearTimeout(cut));
  });
}
