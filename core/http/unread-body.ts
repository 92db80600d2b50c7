import type { Context } from 'koa';

/** How long a client may go on sending a body that is thrown away. */
const DRAIN_MS = 3000;

/**
 * Reads and discards the rest of a body. Closing a connection with unread bytes could destroy the response before the
 * client has read it. A client that sends for longer loses its connection.
 */
export function leaveUnread({ req, res }: Context): void {
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
