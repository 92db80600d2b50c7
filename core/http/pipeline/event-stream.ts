import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { type Watch, whileThere } from './while-there.js';

/** Time after which a client that reads nothing is disconnected. */
const STUCK_MS = 30_000;
/** Memory of a stream whose client does not read, in bytes: Node's buffer, and an event. */
export const STREAM_BYTES = 16_384;

/** Generates an event stream. The signal is aborted when the client disconnects. */
export type EventSource = (signal: AbortSignal) => AsyncIterable<string | Buffer>;

/** Sends Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export function sendEvents(
  ctx: Context,
  events: EventSource,
  { watch, headers = {} }: { watch?: Watch; headers?: Record<string, string> } = {},
): void {
  const signal = whileThere(ctx, watch);
  ctx.set({
    'content-type': 'text/event-stream; charset=utf-8',
    // Disables buffering in nginx.
    'x-accel-buffering': 'no',
    ...headers,
  });
  // Bypass Koa's body handling, which takes 15 kB per stream.
  ctx.respond = false;
  const { app, res } = ctx;
  // Flush the headers so that the client knows the stream is open.
  res.flushHeaders();
  if (ctx.method === 'HEAD') res.end();
  else
    writeEvents(res, events(signal)).catch((error: unknown) => {
      app.emit('error', error);
      res.destroy();
    });
}

async function writeEvents(res: ServerResponse, events: AsyncIterable<string | Buffer>): Promise<void> {
  for await (const event of events) {
    if (res.closed) return;
    if (!res.write(event)) await drained(res);
  }
  res.end();
}

/** Waits until the client has read, or is disconnected. */
async function drained(res: ServerResponse): Promise<void> {
  const waited = new AbortController();
  const { signal } = waited;
  const stuck = setTimeout(() => res.destroy(), STUCK_MS);
  try {
    await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]);
  } finally {
    clearTimeout(stuck);
    waited.abort();
  }
}
