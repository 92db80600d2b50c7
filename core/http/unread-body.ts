import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from 'koa';
import { createFairLine } from '../tasks/fair-line.js';

/** A client that still sends has so long to stop by itself. */
const DRAIN_MS = 3000;
/** Most clients stop sending as soon as they have read our answer. */
const LEAVE_MS = 1000;
/** Of bodies that were refused under load, one begins to be read after the other, with so much time between them. */
const BETWEEN_MS = 100;

/**
 * What becomes of a body that was not read to its end, once its request is answered: a client that still sends reads our answer first, then the
 * socket goes. Of what was refused under load we read nothing before the client has had time to leave, and then, by turns of the workspaces, no
 * faster than others can bear.
 */
export function leaveUnread({ req, res, status, state }: Context): void {
  const underLoad = status === 503;
  // Else Node reads it at once, and as fast as it comes. What we have begun to read, it leaves to us.
  if (underLoad) req.read(0);
  res.once('finish', () => {
    if (req.complete) return;
    const read = () => (underLoad ? readInTurn(req, String(state.workspaceId)) : req.resume());
    const soon = setTimeout(read, underLoad ? LEAVE_MS : 0);
    const cut = setTimeout(() => req.socket.destroy(), DRAIN_MS);
    const done = () => {
      clearTimeout(soon);
      clearTimeout(cut);
    };
    req.once('end', done).once('close', done);
  });
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
    if (req.destroyed) continue;
    req.resume();
    await pause(BETWEEN_MS, undefined, { ref: false });
  }
  reading = false;
}
