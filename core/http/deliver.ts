import type { Context } from 'koa';
import { overloaded } from '../errors/api-error.js';
import { STREAM_BYTES, sendEvents } from './event-stream.js';
import { type Hold, MemoryTaken } from './memory-budget.js';
import type { Answer } from './route.js';

/** What the connection itself buffers: smaller answers are never refused. */
const SMALL_ANSWER = 65_536;

/**
 * Makes the answer the response, and holds its bytes. What only reads can be refused (503) when its owner lets too many answers wait;
 * what has changed something is answered in any case.
 */
export function deliver(ctx: Context, answer: Answer, hold: Hold): void {
  ctx.status = answer.status;
  if ('events' in answer) {
    hold.set(STREAM_BYTES);
    sendEvents(ctx, answer.events);
  } else if ('body' in answer) deliverJson(ctx, answer.body, hold);
}

function deliverJson(ctx: Context, body: object, hold: Hold): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const refusable = ctx.method === 'GET' && bytes.length > SMALL_ANSWER;
  if (!refusable) hold.set(bytes.length);
  else if (!hold.change(bytes.length)) throw overloaded(new MemoryTaken());
  ctx.type = 'json';
  ctx.body = bytes;
}

/** Holds memory for an answer that is about to be read, by what it may take. Throws 503 when its owner holds too much. */
export function reserve(hold: Hold, bytes: number): void {
  if (!hold.change(bytes)) throw overloaded(new MemoryTaken());
}

/** Gives back what is held once the client has taken the answer, or has gone. To be called when the work has ended. */
export function releaseWhenTaken({ res }: Context, hold: Hold): void {
  if (res.closed) hold.set(0);
  else res.once('close', () => hold.set(0));
}
