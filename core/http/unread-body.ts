import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from 'koa';
import { createFairLine } from '../tasks/fair-line.js';

/** Once we read, a client that still sends has so long to stop by itself. */
const DRAIN_MS = 3000;
/** Most clients stop sending as soon as they have read our answer. */
const LEAVE_MS = 1000;
/** Of bodies that were refused under load, one after the other begins to be read, so much time apart. */
const BETWEEN_MS = 100;

/**
 * What becomes of a body that was not read to its end, once its request is answered. A client that still
 * sends reads our answer first, then the socket goes. Bodies that were refused under load are not read before
 * the client has had time to leave; then workspaces take turns, no faster than others can bear.
 */
export function leaveUnread({ req, res, status, state }: Context): void {
  // Node closes a connection that ends with its answer at once. With unread bytes in it, that
  // could destroy the answer.
  const underLoad = status === 503 && res.shouldKeepAlive;
  // Otherwise Node reads it at once, as fast as it comes. What we have begun to read, it leaves to us.
  // `read(0)` would begin nothing: enough is buffered already.
  if (underLoad) req.read();
  res.once('finish', () => {
    if (req.complete) return;
    const read = () => (underLoad ? readInTurn(req, String(state.workspaceId)) : readNow(req));
    const soon = setTimeout(read, underLoad ? LEAVE_MS : 0);
    req.once('end', () => clearTimeout(soon));
  });
}

/** A body that has come by then does no harm: its connection may serve the next request. */
function readNow(req: IncomingMessage): void {
  const cut = setTimeout(() => {
    if (!req.complete) req.socket.destroy();
  }, DRAIN_MS);
  req.once('end', () => clearTimeout(cut));
  req.resume();
}

const line = createFairLine<IncomingMessage>();
let reading = false;

function readInTurn(req: IncomingMessage, workspaceId: string): void {
  line.add(req, { workspaceId, agentId: workspaceId });
  if (!reading) void readLine();
}

async function readLine(): Promise<void> {
  reading = true;
  for (let req = line.take(); req; req = line.take()) {
    // An answered request does not learn that its connection has gone.
    if (req.socket.destroyed) continue;
    readNow(req);
    await pause(BETWEEN_MS, undefined, { ref: false });
  }
  reading = false;
}
