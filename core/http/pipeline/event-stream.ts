import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { type Watch, whileThere } from './while-there.js';

/** Time after which a client that reads nothing is disconnected. */
const STUCK_MS = 30_000;
/** High-water mark of a stream, in bytes. */
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
  const cut = () => ctx.res.destroy();
  ctx.body = Readable.from(unlessStuck(events(signal), cut), {
    objectMode: false,
    highWaterMark: STREAM_BYTES,
  });
  // Flush the headers so that the client knows the stream is open.
  ctx.flushHeaders();
}

async function* unlessStuck(
  events: AsyncIterable<string | Buffer>,
  cut: () => void,
): AsyncGenerator<string | Buffer> {
  for await (const event of events) {
    const stuck = setTimeout(cut, STUCK_MS);
    try {
      yield event;
    } finally {
      clearTimeout(stuck);
    }
  }
}
