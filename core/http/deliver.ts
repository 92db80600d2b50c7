import type { Context } from 'koa';
import { overloaded } from '../errors/api-error.js';
import { STREAM_BYTES, sendEvents } from './event-stream.js';
import { type Hold, MemoryTaken } from './memory-budget.js';
import type { Answer, JsonAnswer } from './route.js';

/** The connection itself buffers so much: smaller answers are never refused. */
const SMALL_ANSWER = 65_536;

/** On every answer. */
export const headersOf = (ctx: Context): Record<string, string> => ({
  'x-request-id': ctx.state.requestId as string,
  'cache-control': 'no-store',
});

/**
 * Makes the answer the response, and holds memory for its bytes. A read can be refused (503) when its owner
 * lets too many responses wait; the answer to a change is always sent.
 */
export function deliver(ctx: Context, answer: Answer, hold: Hold): void {
  if ('events' in answer) {
    hold.set(STREAM_BYTES);
    ctx.status = answer.status;
    ctx.set(headersOf(ctx));
    sendEvents(ctx, answer.events);
  } else if ('body' in answer) deliverJson(ctx, answer, hold);
  else ctx.status = answer.status;
}

function deliverJson(ctx: Context, { status, body }: JsonAnswer, hold: Hold): void {
  const text = JSON.stringify(body);
  const bytes = text.length > SMALL_ANSWER ? Buffer.from(text) : null;
  const length = bytes?.length ?? Buffer.byteLength(text);
  const refusable = ctx.method === 'GET' && length > SMALL_ANSWER;
  if (!refusable) hold.set(length);
  else if (!hold.change(length)) throw overloaded(new MemoryTaken());
  // All at once, past what Koa does for bodies of every kind: a text leaves in one piece with its headers.
  ctx.respond = false;
  const { res } = ctx;
  if (!ctx.writable) return void res.end();
  res.writeHead(status, {
    ...headersOf(ctx),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': length,
  });
  res.end(bytes ?? text);
}

/** Holds memory for an answer before it is read, for the most it may take. Throws 503 when its owner holds too much. */
export function reserve(hold: Hold, bytes: number): void {
  if (!hold.change(bytes)) throw overloaded(new MemoryTaken());
}

/** Releases what is held once the client has taken the response, or has gone. Call it when the work has ended. */
export function releaseWhenTaken({ res }: Context, hold: Hold): void {
  if (res.closed) hold.set(0);
  else res.once('close', () => hold.set(0));
}
