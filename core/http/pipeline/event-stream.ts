import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** Time after which a client that reads nothing is disconnected. */
const STUCK_MS = 30_000;
/** High-water mark of a stream, in bytes. */
export const STREAM_BYTES = 16_384;

/** Generates an event stream. The signal is aborted when the client disconnects. */
export type EventSource = (signal: AbortSignal) => AsyncIterable<string | Buffer>;

/** Calls `end` when the stream must end early. Returns a function that stops watching. */
export type Watch = (end: () => void) => () => void;

/** For streams that never have to end early. */
const unwatched: Watch = () => () => {};

/** Sends Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export function sendEvents(
  ctx: Context,
  events: EventSource,
  { watch = unwatched, headers = {} }: { watch?: Watch; headers?: Record<string, string> } = {},
): void {
  const gone = new AbortController();
  const unwatch = watch(() => gone.abort());
  ctx.res.once('close', () => {
    unwatch();
    gone.abort();
  });
  ctx.set({
    'content-type': 'text/event-stream; charset=utf-8',
    // Disables buffering in nginx.
    'x-accel-buffering': 'no',
    ...headers,
  });
  const cut = () => ctx.res.destroy();
  ctx.body = Readable.from(unlessStuck(events(gone.signal), cut), {
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
